"""One run: settings, stages, what is kept, what was found."""
