# Usage: browser.sh BUILD ROOT WORK. The first sample has the views of which one is enough.
set -- "$@" "$2/samples/matmul/matmul.c"
if [ "$TEST_SCALE" = full ]; then
    set -- "$@" $(ls "$2"/samples/*/*.c | grep -v -e /main.c -e /matmul.c)
else
    set -- "$@" "$2/samples/plain_filter/plain_filter.c"
fi
exec python3 "$2/tests/page/browser.py" "$@"
