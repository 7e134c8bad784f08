"""The whole road, once, on the terminal: `make demo`."""
