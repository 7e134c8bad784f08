"""What TL501 proves: one module for each kind of obligation, and who is exempt from one."""
