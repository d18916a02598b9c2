"""Another system's wire formats, and the selection over its objects."""
