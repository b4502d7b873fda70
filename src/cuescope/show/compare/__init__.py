"""Runs side by side, shown: tables and a page."""
