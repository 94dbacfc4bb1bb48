"""A script whose polynomials do not fit into memory."""
print("(declare-const x Real)(declare-const y Real)(declare-const z Real)(declare-const w Real)")
for i in range(2000):
    print(f"(assert (> (^ (+ x (* {i + 2} y) (* 3 z) w 1) 24) 1))")
