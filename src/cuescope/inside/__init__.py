"""Looking inside a model and acting on it: everything here lives only inside a `with`."""
