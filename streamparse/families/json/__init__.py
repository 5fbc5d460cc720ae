"""Calls whose arguments are JSON.

Where does a value end? Two readers tell, piece by piece and without building anything, and others use them:

    reader.py             JsonReader, for calls that are certain: broken JSON ends somewhere, too, by one set of rules
    lexer.py              JsonLexer, for text that may be JSON: it says at the very character where it is none
    shown.py              ShownValue: a JsonReader from the scanner to the emitter, which holds what is in doubt
    members.py            JsonMembers: keys, colons, values and separators of an object, for all who make use of them:
      fields.py           JsonFields tells a sink the arguments, one of them decoded as it comes
      follower.py         follows the arguments of a call that writes a file, for the record of that call

How is a call written? A state for each way:

    arguments_state.py    f{…}                               the name before the arguments
    numbered_state.py     0{…}                               the same, with a number for the name
    object_state.py       <call>{"name": "f", …}</call>      an object between markers, read by members.py
    bare_state.py         {"name": "f", …}                   the same without markers, where the reply begins
    call_state.py         {"name": "f", …}, [{…}, {…}] …     the format json: anywhere, and in wrappers and plans
      candidate.py        tells such a call from data, by its keys, which members.py reads
      wrappers.py         what it stands in
    keys.py               which keys count in an object that is a call

What does it say? `decoder.py` and `plain_text.py` make arguments of the content; `partial.py` reads JSON that is cut,
`repair.py` mends what nearly is JSON.
"""
