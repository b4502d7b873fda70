"""One sentence: as a page in a notebook, and live, on this machine."""
