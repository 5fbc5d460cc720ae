"""Arguments of the xml format: `<arg name="a">1</arg>` and `<a>1</a>`."""
