#ifndef IR_HALVING_H
#define IR_HALVING_H
#include "ir/kernel.h"

/* The loop over the rounds of a tree whose lanes are no literal:

       for (round = lanes <= 1024 && ... ? R - 10 : 0; round < R; round += 1) {
           far = 2^(R-1) >> round;
           if (far < lanes || ...) ...
       }

   (or from 0 on, whatever the number of lanes). All that it does beside asking it does in the last
   ceil(log2(lanes)) rounds. The numbers of lanes in lanes[] (HALVING_LANES entries), each once;
   returns how many there are, 0: it is no such loop, or has more of them. */
enum { HALVING_LANES = 4 };
int loop_halves(const struct stmt *loop, const struct expr **lanes);
/* The statement of such a loop that asks whether the round has lanes. */
const struct stmt *halving_condition(const struct stmt *loop);

#endif
