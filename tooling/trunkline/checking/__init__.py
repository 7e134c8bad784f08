"""Checks a repository anew only where something has changed: by content, never by time stamp."""
