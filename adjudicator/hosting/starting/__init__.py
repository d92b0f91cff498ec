"""What is checked and made before the roles start."""
