// RUN: %treefork verify %s --set T=7,S=5 --set T=1,S=3 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Cheapest ways through a hidden Markov model. Plain C, as a new user wrote it.
/* Most likely states of a hidden Markov model, by costs. */
void viterbi(int T, int S, const int obs[T], const float trans[S][S], const float emit[S][16], float cost[T][S], int back[T][S], int path[T])
{
#pragma scop
    for (int s = 0; s < S; s++)
        cost[0][s] = emit[s][obs[0]];
    for (int t = 1; t < T; t++)
        for (int s = 0; s < S; s++) {
            float best = 1e30f;
            int from = 0;
            for (int r = 0; r < S; r++)
                if (cost[t - 1][r] + trans[r][s] < best) {
                    best = cost[t - 1][r] + trans[r][s];
                    from = r;
                }
            cost[t][s] = best + emit[s][obs[t]];
            back[t][s] = from;
        }
#pragma endscop
    int last = 0;
    for (int s = 1; s < S; s++)
        if (cost[T - 1][s] < cost[T - 1][last])
            last = s;
    for (int t = T - 1; t >= 0; t--) {
        path[t] = last;
        if (t > 0)
            last = back[t][last];
    }
}
