"""What all games share: the rules contract, chance, notation, the log, editions and generic bots."""
