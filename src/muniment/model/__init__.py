"""Values: what is stored, asked and answered.  No clock, no database, no randomness."""
