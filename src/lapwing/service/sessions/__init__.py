"""What happens in sessions: open sessions, questions, answers, status, events."""
