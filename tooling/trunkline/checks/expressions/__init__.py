"""What TL404 holds against types: the expressions of a flow, and those of the catalogue."""
