"""What stands in front of every tool and every dial, and the record of each decision.

The order of its steps: kill switch, grant, arguments, facts, consent and disclosures, Do-Not-Call,
window, frequency, spend. What cannot be decided is denied, and a decision is on disk before the
tool that it allows may start.
"""
