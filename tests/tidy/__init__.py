"""The walls of the house, read off the source with `ast`: sizes, names, places."""
