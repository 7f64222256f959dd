"""What keeps order: acts of admins. Each is checked, done and written into the record in one transaction."""
