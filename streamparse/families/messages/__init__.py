"""Messages with headers that say what their bodies are: `<|channel|>analysis<|message|>hm<|end|>`."""
