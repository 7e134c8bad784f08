"""What runs calls: a pinned node table, LiveKit agents, and policy in front of every tool."""
