"""Ranking: hits and what they are in, a pack out.  Pure: the same in gives the same bytes out."""
