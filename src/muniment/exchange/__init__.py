"""Another system's wire formats: typed objects, prepared queries, containers, recorded choices.

Everything is read strictly: a byte that means nothing is zero, and what is read can be written
again as the very same bytes.  Integers are unsigned and little-endian, ids sixteen bytes that are
compared byte by byte, digests SHA-256.  What is refused carries the status of that system.
"""
