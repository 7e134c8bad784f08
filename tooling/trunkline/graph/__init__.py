"""The flow as a graph: inlined, with every kind of edge, and what can be proven on it."""
