"""What the files of a repository say, as frozen dataclasses that remember where they stand."""
