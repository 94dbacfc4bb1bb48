"""Sentences of C comments, and riddles among them: sentences in which pronouns stand where nouns should.

A riddle is a sentence in which RIDDLE words (it, that, what, where, one ...) are at least SHARE of the words that carry
meaning: RIDDLE words, nouns, verbs, adjectives and names of the code, without articles, prepositions, auxiliaries and
the like (EMPTY). "What it is called where that is free": four of six. A sentence that begins with "What" and asks
nothing names no subject, and is a riddle, too ("What costs no question."). A sentence ends at . ; ? ! before a space,
at an empty line, and with its comment; a comment behind code is one of its own, with the lines that continue it."""
import re

SHARE = 0.4
RIDDLE = frozenset("it its that what which where wherever one those".split())
EMPTY = frozenset("""
    a an the this these there here of to in on at by for from with without into onto over under between within as than then
    and or but nor not no so if else too also only is are was were be been being am do does did done has have had having
    may might can could must shall should will would they them their he his she her we our you your who whose whom when while
    any all some each every both either neither such same other others another more most less least much many few very just
    up down out off about above below behind before after until through per again yet still how why all none nothing""".split())
HEADLESS = re.compile(r"What(?:ever)?\b(?![^?]*\?$)")
DECORATION = re.compile(r"^[ \t]*(?:/\*+|\*(?!/)|//+)?[ \t]?|\*+/[ \t]*$|-{3,}")
WORD = re.compile(r"`[^`]*`|\"[^\"]*\"|[A-Za-z_][\w'.>-]*\w|[A-Za-z]")
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")
END = re.compile(r"(?<=[.;?!])[)\"]?\s+(?!e\. )")


def is_riddle(sentence):
    words = [word.lower() for word in WORD.findall(sentence)]
    riddles = sum(word in RIDDLE for word in words)
    content = sum(word not in EMPTY for word in words)
    if HEADLESS.match(sentence):
        return True
    return riddles > 0 and riddles >= SHARE * content


def sentences(block):
    """(line, sentence) of each sentence of a comment: its lines with their numbers."""
    paragraph = []
    for number, text in block + [(0, "")]:
        text = DECORATION.sub("", DECORATION.sub("", text)).strip()
        if text:
            paragraph.append((number, text))
            continue
        joined = " ".join(part for _, part in paragraph)
        masked = QUOTED.sub(lambda match: "x" * len(match.group()), joined)
        start = 0
        for end in [match.span() for match in END.finditer(masked)] + [(len(joined), len(joined))]:
            if joined[start:end[0]]:
                yield line_at(paragraph, start), joined[start:end[0]]
            start = end[1]
        paragraph = []


def line_at(paragraph, offset):
    for number, text in paragraph:
        if offset <= len(text):
            return number
        offset -= len(text) + 1
    return paragraph[-1][0]


def blocks(comments):
    """Comments as lists of (line, text): `comments` are (line, column, text, stands behind code), by place; lines of // that
    continue each other are one."""
    block, last = [], None
    for line, column, text, is_behind in comments:
        follows = last and text.startswith("//") and not is_behind and last == (line - 1, column)
        if block and not follows:
            yield block
            block = []
        block += [(line + i, part) for i, part in enumerate(text.split("\n"))]
        last = (line, column) if text.startswith("//") else None
    if block:
        yield block


def riddles(comments):
    """(line, sentence) of each riddle."""
    for block in blocks(comments):
        for line, sentence in sentences(block):
            if is_riddle(sentence):
                yield line, sentence
