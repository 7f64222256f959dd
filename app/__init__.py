"""Semiramis: a server for the three board games of the Hanging Gardens."""
