"""The node table: what a flow is once it is compiled, as JSON."""
