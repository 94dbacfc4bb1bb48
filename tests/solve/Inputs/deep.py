"""Scripts with deep and large terms: PREFIX.lists, .terms, .turns, .sizes."""
import sys

prefix, N = sys.argv[1], 100000
HEAD = "(declare-const x Real)(declare-const p Bool)(declare-const q Bool)\n"


def write(name, text):
    open(f"{prefix}.{name}", "w").write(text)


def nested(opening, inner, closing=")", times=N):
    return opening * times + inner + closing * times


write("lists", "(" * N)
write("terms", HEAD + "(check-sat)\n".join((
    f"(assert (> {nested('(+ x ', '1')} 0))",
    f"(assert {nested('(and p ', 'q')})",
    f"(assert {nested('(not ', 'q')})",
    "(assert " + "".join(f"(let ((a{i + 1} (+ a{i} x))) ".replace("a0", "x") for i in range(N // 10)) + "p" + ")" * (N // 10 + 1),
    "(assert " + "".join(f"(let ((a{i + 1} (and a{i} a{i}))) ".replace("a0", "q") for i in range(1000)) + "a1000" + ")" * 1001,
    "")))
write("turns", HEAD + f"(assert {nested('(and p (or q ', 'q', '))', N // 2)})(check-sat)")
write("sizes", HEAD + "\n".join((
    f"(assert (> x {'9' * 100000}))",
    "(declare-const y Real)(assert (> (^ (+ x y 1) 4000) 0))",
    "(assert " + "".join(f"(let ((a{i + 1} (* a{i} a{i}))) ".replace("a0", "x") for i in range(30)) + "(> a30 0)" + ")" * 31,
    "(define-fun f0 ((a Real)) Real (+ a a))",
    *(f"(define-fun f{i + 1} ((a Real)) Real (+ (f{i} a) (f{i} (+ a 1))))" for i in range(40)),
    *(f"(declare-const v{i} Real)(assert (> v{i} 0))" for i in range(70)))))
