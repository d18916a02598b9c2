"""Embedders: by name, in packages, from a folder, and over HTTP."""
