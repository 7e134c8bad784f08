"""What is checked of a tenant's settings: time zone and hours, variables, dialled numbers."""
