; answer: sat
; y > 0 was used for y^2 > 0 without being named, so that the case of its sign decided the whole.
(set-logic QF_NRA)
(declare-fun y () Real)
(declare-fun z () Real)
(assert (<= (+ (- 35) (* y y) (* 2 z z)) 0))
(assert (= (* 2 z z) 35))
(check-sat)
