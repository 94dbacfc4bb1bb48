; Quantifiers: decided where they are over reals and truth values.
; RUN: %treefork solve %s | FileCheck %s
(declare-const a Real)
(declare-const b Real)
(push)
(assert (forall ((t Real)) (> (+ (* t t) (* a t) 1) 0)))
(assert (exists ((u Real)) (= (* u u) (- a 1))))
; CHECK: {{^}}sat
(check-sat)
(assert (>= (* a a) 4))
; CHECK-NEXT: {{^}}unsat
(check-sat)
(pop)
(push)
(assert (exists ((t Real)) (and (<= a t) (< t b) (<= 0 t))))
; CHECK-NEXT: (goals
; CHECK-NEXT: (goal
; CHECK-DAG: b
; CHECK: :precision precise :depth 1)
(apply qe)
(pop)
(assert (forall ((i Int)) (distinct (* 2 i) 7)))
; CHECK: {{^}}unknown
(check-sat)
