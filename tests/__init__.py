"""The tests: a mirror of `src/muniment`, and what holds for the whole."""
