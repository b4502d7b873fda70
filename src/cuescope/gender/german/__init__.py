"""How a German noun phrase is read."""
