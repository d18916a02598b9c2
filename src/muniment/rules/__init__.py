"""Rules: facts and a command in, drafts or a refusal out.  Pure: no database, clock, randomness."""
