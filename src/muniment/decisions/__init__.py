"""Load, then decide: what a rule needs to know is read once, and its drafts come back.

Given a `Read`; never opens a transaction, so that one may hold several subjects.
"""
