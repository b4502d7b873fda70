"""Sentences to tune on: templates and nouns of our own, kept out of the code."""
