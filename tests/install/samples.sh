# Usage: samples.sh ROOT BUILD OUT
set -eu
flags="-I$1/runtime $2/libtreefork.a -ldl -lpthread"
wanted="matmul plain_filter plain_blas matvec-cplusplus transpose-python"
[ "$TEST_SCALE" != full ] || wanted="all $wanted"
make -s -C "$1/samples" $wanted TREEFORK="$2/treefork" FLAGS="$flags" OUT="$3" 2>&1
echo "all ran"
