"""Saying and hearing between processes that a table has moved on."""
