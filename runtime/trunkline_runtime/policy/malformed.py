"""What makes a policy document unreadable as a whole: it then denies what needs it."""


class Malformed(ValueError):
    """A rule that cannot be understood. The message says what is wrong and what to write."""
