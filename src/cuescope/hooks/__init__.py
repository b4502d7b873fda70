"""Looking inside a model: capture, intervene, sweep, attribute. Hooks live only in `with`."""
