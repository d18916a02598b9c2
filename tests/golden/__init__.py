"""Files of every released ledger format, the commands that made them, and a check of its own."""
