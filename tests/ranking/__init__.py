"""Ranking by itself: hits and items in, a pack out."""
