"""Rules by themselves: facts in, drafts or refusals out, in tables."""
