"""docs/python.md does what it says: its blocks are run in their order, in a folder of their own."""
import doctest
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "docs", "python.md")


def test_page(tmp_path, monkeypatch):
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    for name, code in re.findall(r"^`(\S+)`:\n\n```c\n(.*?)^```$", text, re.M | re.S):
        (tmp_path / name).write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TREEFORK_HOST", raising=False)
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, re.M | re.S)
    assert len(blocks) > 8
    session = "\n".join(blocks).replace("…", "...")
    test = doctest.DocTestParser().get_doctest(session, {}, "docs/python.md", PAGE, 0)
    said = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert not said, "".join(said)
