"""The Hanging Gardens: twelve cards in a garden of three levels, for one to five players."""
