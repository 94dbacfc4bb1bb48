# Runs a program on a processor and an OpenCL device, again while no task came to the device: tries.sh MPIRUN COMMAND...
export STARPU_NCPU=1 STARPU_NOPENCL=1 STARPU_OPENCL_ON_CPUS=1 POCL_DEVICES=basic TREEFORK_PARTS=8 TREEFORK_TRACE=1
run=$1
shift
for try in 1 2 3 4 5; do
    $run "$@" >tried 2>&1 || break
    grep -q "process 0: .* tasks by OpenCL" tried && break
done
cat tried
