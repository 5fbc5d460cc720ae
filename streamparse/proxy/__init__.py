"""Between a client and a model server: what clients ask for, as the server can be asked for it."""
