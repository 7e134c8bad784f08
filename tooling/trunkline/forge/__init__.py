"""The forge: what a pull request, a merge and a night ask of GitHub, and what they tell it."""
