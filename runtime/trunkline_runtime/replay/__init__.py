"""Replays: the decisions of a recorded call, put to another release."""
