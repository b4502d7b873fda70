"""Effects: what each head, path and set of heads carries."""
