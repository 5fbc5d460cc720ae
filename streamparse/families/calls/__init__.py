"""What all families share: how a call is set off from text, where it ends, and what is known of it."""
