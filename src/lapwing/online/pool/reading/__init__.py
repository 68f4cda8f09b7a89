"""What a pool reads at once, and keeps until the next label."""
