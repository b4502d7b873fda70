"""Editing for as long as a `with`: ablate, scale, twin, floor, debias."""
