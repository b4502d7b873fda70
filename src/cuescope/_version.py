"""The version, alone in its file so that anything may read it."""

__version__ = "0.1.0"
