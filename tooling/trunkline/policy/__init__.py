"""Policy on the desk: why a call is allowed, tests of the rules, a preview over many numbers.

Everything is decided by `trunkline_runtime.policy`, the engine that also stands in front of a call.
"""
