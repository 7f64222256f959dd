"""The kinds of decision (7.5); the words go into states, views and pages."""

ACT = "act"
"""Pass, recruit, or move the caravan (7.2)."""

FIELD = "field"
"""A peasant's row (7.2)."""

TEMPLE = "temple"
"""A priest's temple (7.2)."""

CHANNEL = "channel"
"""An engineer's channel (7.2)."""

SELL = "sell"
"""Which tokens to sell in Babylon (3.4)."""

SALE_CHANNEL = "sale_channel"
"""The channel that goes with a sale (3.4)."""

PAY = "pay"
"""Which tokens pay a city's price (3.5)."""

COURT = "court"
"""Which of a city's two tracks (3.3)."""

PLANT = "plant"
"""Which square to plant (8.1)."""

REWARD = "reward"
"""What to take for a four-coloured tile (8.4)."""

TOKEN = "token"
"""Which of the last caravaneers, for the token on it (8.4)."""

PROCESSION = "procession"
"""The temple of the procession (7.3)."""

ISHTAR = "ishtar"
"""Camel or talent (6)."""

TAMMUZ_FIELD = "tammuz_field"
"""The first of Tammuz chooses a row (6)."""

TAMMUZ_SWAP = "tammuz_swap"
"""The second of Tammuz swaps a token or not (6)."""

DISCARD = "discard"
"""What one cannot store; several seats at once (7.3)."""

OVER = "over"
"""The game is over (9)."""

NEXT = "next"
"""Nobody chooses: the turn goes on to the next seat."""

STORE = "store"
"""Nobody chooses: the storage step begins."""
