; Division by zero gives what it likes, but always the same: models say what.
; RUN: %treefork solve %s | FileCheck %s
(declare-const x Real)
(declare-const y Real)
(declare-const i Int)
(assert (= (/ x 0) 3))
(assert (= (/ y (- x x)) 4))
(assert (= (mod i (- 2)) 1))
(assert (= (div 7 i) (- 2)))
; CHECK: {{^}}sat
(check-sat)
; CHECK: (((distinct x y) true)
; CHECK-NEXT: ((/ x 0) 3.0)
; CHECK-NEXT: ((/ (+ y 0) (* 0 x)) 4.0)
; CHECK-NEXT: (i (- 3)))
(get-value ((distinct x y) (/ x 0) (/ (+ y 0) (* 0 x)) i))
; CHECK: (define-fun /0 ((x Real)) Real (ite
(get-model)
(assert (= x y))
; CHECK: {{^}}unsat
(check-sat)
(reset)
(declare-const a Real)
(declare-const b Real)
(assert (distinct a b 0))
(assert (distinct (- (/ 1 a) (/ 1 b)) (/ (- b a) (* a b))))
; CHECK-NEXT: {{^}}unsat
(check-sat)
