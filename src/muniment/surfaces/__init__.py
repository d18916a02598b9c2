"""Faces: thin, and read off the operations table."""
