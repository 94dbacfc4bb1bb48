; A script as tools write it: status 0, verdicts, models, values, cores.
; RUN: %treefork solve %s | FileCheck %s
(set-info :smt-lib-version 2.6)
(set-logic QF_NRA)
(declare-fun R_B () Real)
(declare-fun |block size| () Real)
(declare-const s Real)
(assert (! (<= (+ (* 2 s |block size|) 2) 12288) :named fits))
(assert (! (>= s 1) :named granularity))
(assert (>= |block size| 1))
; CHECK: {{^}}sat
(check-sat)
(push 1)
(assert (! (> |block size| 6143) :named large))
; CHECK-NEXT: {{^}}unsat
(check-sat)
; CHECK-NEXT: (fits granularity large)
(get-unsat-core)
(pop 1)
(assert (= |block size| 512.5))
(assert (= (* s s) 2))
; CHECK-NEXT: {{^}}sat
(check-sat)
; CHECK-NEXT: {{^}}(
; CHECK-NEXT: (define-fun R_B () Real 0.0)
; CHECK-NEXT: (define-fun |block size| () Real (/ 1025 2))
; CHECK-NEXT: (define-fun s () Real (root-obj (+ (^ x 2) (- 2)) 2))
; CHECK-NEXT: {{^}})
(get-model)
; CHECK-NEXT: ((|block size| (/ 1025 2))
; CHECK-NEXT: ((* s s) 2.0)
; CHECK-NEXT: ((> s 1) true))
(get-value (|block size| (* s s) (> s 1)))
(exit)
(check-sat)
; CHECK-NOT: {{.}}
