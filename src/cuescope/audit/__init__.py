"""Papers D and C as audits that run on models: speed against bias, and relationships."""
