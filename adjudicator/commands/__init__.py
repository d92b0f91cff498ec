"""The commands of `sealed`, a file each: it defines `command`, a click command, and imports what is heavy inside it."""
