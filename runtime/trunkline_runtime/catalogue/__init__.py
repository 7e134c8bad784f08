"""The catalogue model: what a tool is, what it may do and what it establishes."""
