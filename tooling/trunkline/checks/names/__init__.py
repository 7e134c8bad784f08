"""What TL103 looks up: each module holds the names of one kind of thing."""
