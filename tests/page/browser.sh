# Usage: browser.sh BUILD ROOT WORK
if [ "$TEST_SCALE" = full ]; then
    set -- "$@" $(ls "$2"/samples/*/*.c | grep -v /main.c)
else
    set -- "$@" "$2/samples/matmul/matmul.c" "$2/samples/plain_filter/plain_filter.c"
fi
exec python3 "$2/tests/page/browser.py" "$@"
