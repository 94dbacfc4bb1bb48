# lit: one file per case, commands and expectations inside (// RUN:, // CHECK:).
# Parameters: build (the build folder), llvm (where FileCheck is).
import glob
import importlib.util
import os
import shutil
import subprocess
import sysconfig
import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.abspath(lit_config.params.get("build", os.path.join(root, "build")))
llvm = lit_config.params.get("llvm", "")

config.name = "treefork"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".test", ".kernel", ".smt2"]
config.excludes = ["unit", "simulated", "cycles", "Inputs", "mutants", "bench", "paper", "reader.c", "systems.c", "systems_make.c", "systems_view.c"]
config.test_source_root = os.path.join(root, "tests")
config.test_exec_root = os.path.join(build, "lit")

config.environment["PATH"] = os.pathsep.join([os.path.join(llvm, "bin"), os.environ.get("PATH", "")])
config.environment["POCL_CACHE_DIR"] = os.path.join(build, "pocl-cache")
# What regions choose depends on how many processors the device has: two on every machine (the names of PoCL 4 and before).
config.environment["POCL_CPU_MAX_CU_COUNT"] = config.environment["POCL_MAX_PTHREAD_COUNT"] = "2"
# Tests of the library's own cache give it a folder of their own.
config.environment["TREEFORK_CACHE_DIR"] = "none"
config.environment["TREEFORK_QUIET"] = "0"
# Several devices share launches as they are listed, whatever time is predicted.
config.environment["TREEFORK_WEIGHTS"] = "equal"
# Tests are of launches; what is small runs on the host only in tests of that, which unset this.
config.environment["TREEFORK_HOST"] = "never"
# small in `make check`, full in `make check-all`.
scale = os.environ.get("TEST_SCALE", "small")
config.environment["TEST_SCALE"] = scale
if scale == "full":
    config.available_features.add("full")
# Every answer of the solver is checked on every occasion at full scale, and at small scale where many different systems are
# asked: in unit programs (CERTIFIED of tests/run), in the folders whose lit.local.cfg says so and in tree/proved.test.
if scale == "full":
    config.environment["TREEFORK_CERTIFY"] = "1"
for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "HOME", "CUDA_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%treefork", os.path.join(build, "treefork")))
config.substitutions.append(("%samples", os.path.join(root, "samples")))
config.substitutions.append(("%paper", os.path.join(root, "tests", "paper")))
config.substitutions.append(("%machines", os.path.join(root, "machines")))
config.substitutions.append(("%root", root))
config.substitutions.append(("%build", build))
# The witnesses of most programs, and which leaves a device gets of those whose code is special to it: PoCL compiles a leaf
# for most of a second, so `make check` gives it each leaf of each sample and the first leaf of such programs.
config.substitutions.append(("%witnesses", "threads,cpu,opencl" if scale == "full" else "threads,cpu"))
config.substitutions.append(("%device_runs", "once" if scale == "full" else "first"))
# For --check-prefixes where a scale says how many there must be.
config.substitutions.append(("%scale", scale.upper()))
# A program that links the sanitized library is compiled like it.
sanitize = " -fsanitize=address,undefined" if os.path.basename(build) == "asan" else ""
config.substitutions.append(("%cc", "cc" + sanitize))


# Programs of CUDA's toolkit that pip has installed.
wheels = glob.glob(os.path.join(sysconfig.get_path("purelib"), "nvidia", "*", "bin"))


def on_path(program):
    return any(os.access(os.path.join(p, program), os.X_OK)
               for p in config.environment["PATH"].split(os.pathsep) + ["/usr/local/cuda/bin"] + wheels)


os.makedirs(config.environment["POCL_CACHE_DIR"], exist_ok=True)
if on_path("ptxas"):
    config.available_features.add("ptxas")
if on_path("ptxas") and on_path("nvdisasm"):
    config.available_features.add("nvdisasm")
if on_path("nvcc"):
    config.available_features.add("nvcc")
if on_path("clang"):
    config.available_features.add("clang")
for program in ("zsh", "fish", "ninja", "meson"):
    if on_path(program):
        config.available_features.add(program)
if on_path("node"):
    config.available_features.add("node")
if on_path("chromium") and on_path("chromedriver"):
    config.available_features.add("browser")
if shutil.which("debootstrap") and os.geteuid() == 0:
    config.available_features.add("debootstrap")
if not sanitize:
    config.available_features.add("unsanitized")
# Tasks of StarPU, and processes of MPI on this machine.
if not sanitize and on_path("mpirun") and os.path.exists(os.path.join(build, "libtreefork-starpu.a")):
    config.available_features.add("starpu")


def has_fma():
    """Does `cc -march=native` fuse a product and a sum into one instruction?"""
    asked = subprocess.run(["cc", "-march=native", "-dM", "-E", "-xc", os.devnull], text=True, capture_output=True)
    return asked.returncode == 0 and "__FP_FAST_FMA " in asked.stdout


if has_fma():
    config.available_features.add("fma")
# A root of installed packages, made and entered by whoever runs the tests.
if shutil.which("dpkg-query") and shutil.which("unshare") and subprocess.run(["unshare", "--map-root-user", "--mount", "--pid", "--fork", "true"],
                                            stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("bare")
if importlib.util.find_spec("jsonschema"):
    config.available_features.add("jsonschema")
# Of the Pythons here one that has NumPy and pytest, which packages bring for the system's.
for python in (shutil.which("python3"), "/usr/bin/python3"):
    if python and subprocess.run([python, "-c", "import numpy, pytest"], stderr=subprocess.DEVNULL).returncode == 0:
        config.substitutions.append(("%python-numpy", python))
        config.available_features.add("numpy")
        break
if importlib.util.find_spec("pycparser"):
    config.available_features.add("pycparser")
