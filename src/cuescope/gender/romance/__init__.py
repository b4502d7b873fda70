"""Portuguese, Spanish, Italian, French, and a user's own: how a Romance noun phrase is read."""
