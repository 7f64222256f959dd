"""Models and queries; no decisions."""
