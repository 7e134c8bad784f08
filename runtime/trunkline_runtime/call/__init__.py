"""A call: its state, its moves, what it collects, how it confirms, hands over and ends."""
