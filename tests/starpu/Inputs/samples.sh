# Samples with programs of their own, by tasks in one process and in two: samples.sh TREEFORK SAMPLES WORK MPICC LIBRARY MPIRUN
# Each line ends in "right, right" where both say so, each process once.
export TREEFORK_PARTS=5
for name in axpy heat3d matvec plain_dot plain_gemm plain_gemver plain_histogram plain_softmax plain_spmv transpose; do
    mkdir -p "$3/$name"
    "$1" build --starpu $(cat "$2/$name/options" 2>/dev/null) "$2/$name/$name.c" -o "$3/$name" 2>/dev/null
    $4 -w -Wno-error -I"$3/$name" -I"$2" "$2/$name/main.c" "$3/$name/$name.starpu.c" $5 -o "$3/$name/run" || continue
    one=$("$3/$name/run" 2>&1 | grep -c 'are right$')
    two=$($6 "$3/$name/run" 2>&1 | grep -c 'are right$')
    echo "$name: $([ "$one" = 1 ] && echo right || echo wrong), $([ "$two" = 2 ] && echo right || echo wrong)"
done
