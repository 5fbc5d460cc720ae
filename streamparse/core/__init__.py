"""The machinery below the states: scanner, markers, emitter, the contract of a state, registry and context."""
