"""How calls are written, one folder for each way; a person who sees a text can guess the folder.

    calls/      what all of them share: the markers around a call, what shows that it has ended, its body
    json/       {"name": "f", "arguments": {"a": 1}}, alone or between markers, and arguments that are JSON
    literals/   f(a='x', b=[1, 2])
    xml/        <tool name="f"><arg name="a">1</arg></tool>
    tagged/     <function=f><parameter=a>1</parameter></function>, and other tags of open models
    cline/      <read_file><path>a.py</path></read_file>
    messages/   <|channel|>commentary to=functions.f<|message|>{"a": 1}<|call|>

In each folder `grammar.py` says how it is written, as data that a format declares; a reader or a state follows it in
the stream, a decoder makes values of it, a writer writes it into a prompt.
"""
