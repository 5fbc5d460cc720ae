"""core/entities.py: decoded once, and never guessed."""

from __future__ import annotations

import pytest

from streamparse.core.entities import decode_basic_entities, decode_entities


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("plain", "plain"),
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("&amp;lt;", "&lt;"),
        ("&#65;&#x41;&#x1F600;", "AA😀"),
        ("&#xd800;&#55296;&#xdfff;", "&#xd800;&#55296;&#xdfff;"),
        ("&#xD7FF;&#xE000;&#x10FFFF;", "\ud7ff\ue000\U0010ffff"),
        ("&#0;&#x0;&#x110000;&#1114112;", "&#0;&#x0;&#x110000;&#1114112;"),
        ("&#99999999;&#x1000000;", "&#99999999;&#x1000000;"),
        ("&nbsp;&AMP;&amp &;&#;&#x;", "&nbsp;&AMP;&amp &;&#;&#x;"),
        ("&#٣;", "&#٣;"),
    ],
)
def test_attribute_entities_are_those_of_xml(written: str, meant: str) -> None:
    assert decode_entities(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a && b", "a && b"),
        ("a &amp;&amp; b &lt; c &gt; d", "a && b < c > d"),
        ("&amp;lt;", "&lt;"),
        ("&quot;&apos;&#65;&AMP;", "&quot;&apos;&#65;&AMP;"),
        ("plain", "plain"),
    ],
)
def test_command_entities_are_three(written: str, meant: str) -> None:
    assert decode_basic_entities(written) == meant
