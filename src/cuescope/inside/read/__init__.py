"""Reading: attention of cells, whole maps, value norms, rollout."""
