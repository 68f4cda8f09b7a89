"""What a question is, why it is asked, and how rounds of questions go."""
