"""The ledger side through the public door: chains, commits, state, files, proof and repair."""
