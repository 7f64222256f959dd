"""Amyitis: the hanging gardens of Babylon, watered and planted by two to four players."""
