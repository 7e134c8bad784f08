"""One module for each check: `tl<number>_<what it finds>`; its docstring is its documentation.

The docstring has a fixed form, kept by a test: `TLnnn: what it finds.`, then paragraphs that begin
with `Finds:` and `On the phone:`, then an indented example after `Fails:` and one after `Passes:`.
"""
