#!/bin/sh
# At full scale all leaves of samples and programs on two, three and four simulated devices. Usage: full.sh BUILD ROOT
set -eu
build=$1 root=$2
if [ "${TEST_SCALE:-small}" = full ]; then
    samples=$root/samples
    set -- "$samples/axpy/axpy.c@n=101,s=2,B=16" "$samples/heat3d/heat3d.c@N=18,s=2,B0=4,B1=2,B2=2" \
           "$samples/jacobi1d/jacobi1d.c@N=61,s=2,B=8,T=3" "$samples/jacobi2d/jacobi2d.c@N=18,s=2,B0=4,B1=4,T=2" \
           "$samples/matadd/matadd.c@N=37,B0=4,B1=8" "$samples/matmul/matmul.c@n=32,s=2,B0=8,ub1=8" \
           "$samples/matvec/matvec.c@m=33,n=20,B=16,h=4" "$samples/transpose/transpose.c@N=32,s=2,B0=4,B1=4"
    for name in adi advect arrays axes bands block_scale block_sum chained columns conditions cyclic gather guards halves in_place \
                laplace3d; do
        set -- "$@" "$root/tests/programs/$name.c"
    done
    for members in 0,1 0,1,2 all; do
        "$root/tests/simulated/members" "$build" "$members" once "$@"
    done
fi
echo all right
