"""The faces: what a person, a script and a program see."""
