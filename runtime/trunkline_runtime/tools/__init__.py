"""Tools: the dispatcher that every call passes through, and the kinds of tool behind it."""
