# Six processes at once, twenty times, with and without a device: starts.sh COMMAND...
export STARPU_NCPU=1 STARPU_OPENCL_ON_CPUS=1 POCL_DEVICES=basic STARPU_HOME=$PWD/measured
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    rm -rf "$STARPU_HOME"
    mkdir "$STARPU_HOME"
    for process in 1 2 3 4 5 6; do
        STARPU_NOPENCL=$((process % 2)) "$@" >"out-$round-$process" 2>&1 &
    done
    wait
done
echo "$(cat out-* | grep -c 'are right$') of $(ls out-* | wc -l) are right"
