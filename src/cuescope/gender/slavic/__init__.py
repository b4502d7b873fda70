"""How a Russian or Ukrainian noun phrase is read."""
