"""The pages: that what they say is true today."""
