"""Pictures of the studio in every state."""
