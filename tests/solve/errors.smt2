; Each error is told with its place, the next command is executed, the status is 1.
; RUN: sh -c '%treefork solve %s; echo status $?' | FileCheck %s
(declare-const x Real)
; CHECK: (error "5:1: the command maximise is not supported")
(maximise x)
; CHECK-NEXT: (error "7:9: unexpected character '''")
(assert 'y')
; CHECK-NEXT: (error "9:17: the exponent is no number: not a polynomial")
(assert (> (+ 1 (^ 2 x)) 3))
; CHECK-NEXT: (error "11:12: sin is no operator on polynomials")
(assert (< (sin x) 0))
; CHECK-NEXT: (error "13:9: a polynomial is beyond the limits of degree or size")
(assert (= (* (^ x 4000) (^ x 4000)) 1))
; CHECK-NEXT: (error "15:20: functions with operands are not supported; define-fun is")
(declare-fun g     (Real Real) Real)
; CHECK-NEXT: unknown
(check-sat)
; CHECK-NEXT: (:reason-unknown "an assertion was refused")
(get-info :reason-unknown)
(assert (< x x))
; unsatisfiable it is without the refused ones, too
; CHECK-NEXT: unsat
(check-sat)
; the second one's parenthesis is one too many
; CHECK-NEXT: unsat
; CHECK-NEXT: (error "27:12: a closing parenthesis too many")
(check-sat))
; CHECK: (error "29:1: the list that begins here has no end")
(assert (< x
; CHECK-NEXT: status 1
