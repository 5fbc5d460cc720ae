"""Tools as bare tags, with their parameters as tags in them: `<read_file><path>a.py</path></read_file>`."""
