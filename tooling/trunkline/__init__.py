"""The compiler and its command line: call flows in, proofs and node tables out."""
