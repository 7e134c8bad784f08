"""What TL304 looks at: Python functions, request paths, and schemas that a model is held to."""
