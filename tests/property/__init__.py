"""Promises held against a plain model, over histories that nobody thought of."""
