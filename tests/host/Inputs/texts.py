"""Is the kernel of the first file, which is indented by tabs, one of the second's, indented by four spaces?

Usage: texts.py LEAF FILE"""
import sys

leaf, file = (open(path).read() for path in sys.argv[1:])
kernel = leaf[leaf.index("matmul_1(") :].rstrip("\n").replace("\t", "    ")
if kernel not in file:
    sys.exit(f"{sys.argv[1]} is not in {sys.argv[2]}:\n{kernel}")
print(kernel.count("\n") + 1, "lines are the same")
