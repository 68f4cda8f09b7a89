"""What a session tells: predictions, advice, agreement, explanations and how far it is."""
