"""Speed and retrieval, measured on the product from outside.  A client of it, not a part of it."""

import os

# Threads that wait for each other's part of a product spin meanwhile, which counts as processor
# time; set before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
