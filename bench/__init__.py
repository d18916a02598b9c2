"""Speed and retrieval, measured on the product from outside.  A client of it, not a part of it."""
