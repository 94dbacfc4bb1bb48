"""The styles, in the order in which they are applied: what declares and moves variables ahead of
what names them, macros last.

A style is a function of the unit, a random generator and `some`, which says of each place whether
it is changed; its first line of documentation is what `tools/restyle --help` says of it. To add one
write the function and add its row; give it no place where the program could mean something else.
"""

import random

from restyling import arrays, forms, loops, macros, members

STYLES = {
    "down": loops.down,
    "globals": arrays.globals_,
    "statics": arrays.statics,
    "rows": arrays.rows,
    "flat": arrays.flat,
    "pointers": arrays.pointers,
    "extents": arrays.extents,
    "temporaries": forms.temporaries,
    "index": forms.index_here,
    "index-ahead": forms.index_ahead,
    "constants": forms.constants,
    "inclusive": loops.inclusive,
    "unequal": loops.unequal,
    "step": loops.step,
    "left-steps": loops.left_steps,
    "ahead": loops.ahead,
    "reuse": loops.reuse,
    "commas": loops.commas,
    "shadows": forms.shadows,
    "parens": forms.parens,
    "casts": forms.casts,
    "bounds": macros.bounds,
    "loops": macros.loops,
    "values": macros.values,
    "numbers": macros.numbers,
    "elements": macros.elements,
    "updates": macros.updates,
    "mirrored": loops.mirrored,
    "whiles": loops.whiles,
    "declarators": loops.declarators,
    "typedefs": forms.typedefs,
    "braces": forms.braces,
    "ifdefs": forms.ifdefs,
    "labels": loops.labels,
    "members": members.members,
}


def documented():
    rows = [(name, " ".join(style.__doc__.split())) for name, style in STYLES.items()]
    return "\n".join(f"  {name:12} {text}" for name, text in rows)


def drawn(seed):
    """Two to five styles."""
    rng = random.Random(seed)
    chosen = rng.sample(list(STYLES), rng.randint(2, 5))
    return [name for name in STYLES if name in chosen]


def restyle(unit, seed, names):
    rng = random.Random(f"{seed} {' '.join(names)}")
    for name in STYLES:
        if name in names:
            share = rng.choice([1, 1, 0.5])
            STYLES[name](unit, rng, lambda share=share: rng.random() < share)
