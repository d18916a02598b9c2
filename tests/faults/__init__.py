"""What happens to a write that is interrupted, killed, raced, starved of room, or spoilt later."""
