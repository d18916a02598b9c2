"""Values and pure functions: text, time, ids, canonical bytes, requests."""
