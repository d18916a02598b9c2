"""What each operation does and refuses, through the door and with the real database."""
