"""The audits' pages, tables and figures, in the one frame of the report."""
