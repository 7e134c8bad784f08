"""What TL601 to TL603 listen for: the words of a flow, where they stand, what is wrong in them."""
