"""Players without a browser."""
