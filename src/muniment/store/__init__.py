"""The database: files, transactions, the ledger and its check.  Knows no kind of memory."""
