"""Order texts to orders, and the choices of the form."""
