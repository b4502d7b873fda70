"""What people see: report, comparison, figures, tables."""
