"""One construct, one file. Each opens with the text it recognises and the events it gives for it."""
