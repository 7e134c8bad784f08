"""Turns what a caller said into the value of a slot: one module for each idea."""
