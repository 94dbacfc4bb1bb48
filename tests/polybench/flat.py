"""The programs once more with plain pointers: `double *A` for `double A[n][m]`, `A[i * m + j]` for `A[i][j]`."""
import re


def subscripts_end(text, at, count):
    """The `count` subscripts that begin at text[at], and where they end."""
    found = []
    for _ in range(count):
        depth, start = 0, at
        while True:
            depth += {"[": 1, "]": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                break
        found.append(text[start + 1:at - 1])
    return found, at


def factor(text):
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def subscript(found, extents):
    """i, j, k of extents l, m, n as (i * m + j) * n + k."""
    text = found[0]
    for index, extent in zip(found[1:], extents[1:]):
        text = f"{factor(text)} * {extent} + {index}"
    return text


def body_flatten(body, parameter):
    parts, at = [], 0
    for match in re.finditer(r"\b%s(?=\[)" % parameter.name, body):
        found, end = subscripts_end(body, match.end(), len(parameter.extents))
        parts += [body[at:match.end()], "[", subscript(found, parameter.extents), "]"]
        at = end
    return "".join(parts) + body[at:]


def flatten(name, text, parameters):
    """The program `text` with pointers; an array inside a subscript of the same array is not foreseen."""
    start = text.index(f"void {name}(")
    end = text.index(")", start)
    head, body = text[start:end], text[end:]
    for parameter in parameters:
        if parameter.kind == "ARRAY":
            head = re.sub(r"\b%s(\[\w+\])+" % parameter.name, f"*{parameter.name}", head)
            body = body_flatten(body, parameter)
    return text[:start] + head + body
