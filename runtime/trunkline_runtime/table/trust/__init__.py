"""Trust: who signed what a store holds, and which keys a machine believes."""
