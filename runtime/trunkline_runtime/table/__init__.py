"""The node table: what a flow becomes, as the compiler writes it and the runtime reads it."""
