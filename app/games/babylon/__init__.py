"""Babylon: mine terraces in a shared quarry, build them on pillars in your own garden, decorate them."""
