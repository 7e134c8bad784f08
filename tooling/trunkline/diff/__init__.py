"""What changes in calls between two revisions: `compare` gives changes, `render/` prints them."""
