# Treefork. The targets a user needs: demo, check, install. Everything is built under build/ (build/asan/ with MODE=asan).
#
#   make            the tool, build/treefork, and the runtime library
#   make deps       packages for building, demo and running; make deps-dev: besides, for check, lint and fuzzing
#   make demo       everything: packages, build, kernels of every sample, each leaf run and compared
#   make check      the test suite; ends in "N passed, N failed, N skipped"; TESTS="ir_text tests/tree" runs these only
#   make check-all  the suite at full scale, then fuzzing; make quick: what takes no long time, for the inner loop
#   make lint       include directions, clang-tidy
#   make dist       the release tarball, build/dist/treefork-VERSION.tar.gz, the same bytes wherever it is made
#   make deb        Debian packages, build/deb/*.deb; make deps-package: packages for that
#   make wheel      a wheel for Python, build/wheel/*.whl
#   make starpu     libtreefork-starpu, which needs StarPU and MPI (docs/starpu.md); part of `make` where these are installed
#   make unit-ROOM  unit tests of one room (unit-constraints, unit-ir, …); make room-ROOM compiles it alone

MODE ?= release
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
LLVM ?= /usr/lib/llvm-19

ifeq ($(MODE),asan)
B := build/asan
export LSAN_OPTIONS ?= suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0
MODEFLAGS := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
else ifeq ($(MODE),tsan)
B := build/tsan
MODEFLAGS := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
else ifeq ($(MODE),debug)
B := build/debug
MODEFLAGS := -O0 -g -DTREEFORK_DEBUG
else
B := build
MODEFLAGS := -O2 -g
endif

CC := cc
# What is tested and measured here compiles anew and leaves the user's cache alone.
export TREEFORK_CACHE_DIR ?= none
# V=1 shows the commands
Q := $(if $(V),,@)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
# The one place of the version; the tool, pkg-config files and the man page take it from here.
VERSION := 0.2.0
CFLAGS = -std=c11 -D_XOPEN_SOURCE=700 -DTREEFORK_VERSION=\"$(VERSION)\" $(WARNINGS) $(MODEFLAGS) -fPIC -I. -MMD -MP
LDFLAGS = $(MODEFLAGS)
# Unit programs are many and large: binutils' other linker, where it is there, links them in a fifth of the time.
UNIT_LINKER := $(shell $(CC) -fuse-ld=gold -Wl,--version >/dev/null 2>&1 && echo -fuse-ld=gold)

# Rooms, each compiled to an archive of its own; a room's name has - for /.
ROOMS := base polyhedra constraints ir ir-access ir-llvm ir-ptx frontend replay mapper metafork optimizer emit claims page runtime starpu cli tests-cycles
NEEDS_base :=
NEEDS_polyhedra := base
NEEDS_constraints := base
PARTS_constraints := constraints/front constraints/product constraints/real constraints/cover constraints/check constraints/project constraints/smt
NEEDS_ir := constraints base
NEEDS_ir-access := polyhedra ir constraints base
NEEDS_ir-llvm := ir-ptx ir constraints base
NEEDS_ir-ptx := ir constraints base
NEEDS_frontend := base
NEEDS_replay := frontend base
PARTS_mapper := mapper/forms mapper/scop mapper/plan mapper/print mapper/ask
NEEDS_mapper := frontend polyhedra ir constraints base
NEEDS_metafork := frontend ir-access polyhedra ir constraints base
PARTS_page := page/engine
PARTS_optimizer := optimizer/counters optimizer/strategies optimizer/pipeline
NEEDS_optimizer := metafork frontend ir-llvm ir-ptx ir-access polyhedra ir constraints base
NEEDS_emit := optimizer metafork frontend ir-llvm ir-ptx ir-access polyhedra ir constraints base
NEEDS_claims := constraints base
NEEDS_page := emit $(NEEDS_emit)
NEEDS_runtime :=
NEEDS_starpu := runtime
NEEDS_tests-cycles := $(NEEDS_ir-ptx) ir-ptx
NEEDS_cli := claims page emit optimizer replay mapper metafork frontend ir-llvm ir-ptx ir-access polyhedra ir constraints runtime base

# Outside libraries, by the room that may include them.
SYSTEM_constraints :=
SYSTEM_frontend := -isystem $(LLVM)/include -DTREEFORK_LLVM='"$(LLVM)"'
SYSTEM_ir-llvm := -isystem $(LLVM)/include
# FLINT 3 has Calcium, Antic and Arb inside, FLINT 2.9 beside it.
FLINT := $(shell $(CC) -E -include flint/arb.h -xc /dev/null >/dev/null 2>&1 || echo -lcalcium -lantic -lflint-arb) -lflint
LIBS_constraints := $(FLINT) -lmpfr -lgmp
LIBS_ir := -lm
LIBS_polyhedra := -lisl
LIBS_replay := -lm
LIBS_frontend := -L$(LLVM)/lib -lclang-19
LIBS_ir-llvm := -L$(LLVM)/lib -lLLVM-19
LIBS_ir-ptx := -ldl
LIBS_emit := -lcjson
LIBS_claims := -lcjson
LIBS_cli := -lcjson
# Where Debian puts libraries below lib.
SYSTEM_cli := -DTREEFORK_MULTIARCH='"$(shell $(CC) -print-multiarch 2>/dev/null)"'
LIBS_page := -lz
LIBS_runtime := -ldl -lpthread
LIBS_tests-cycles := -lm
# Optional: STARPU is empty where StarPU or MPI is not installed.
STARPU_PACKAGES := libstarpu-dev openmpi-bin libopenmpi-dev
STARPU := $(if $(shell command -v mpicc),$(shell pkg-config --exists starpumpi-1.3 2>/dev/null && echo yes))
SYSTEM_starpu := $(if $(STARPU),$(patsubst -I%,-isystem %,$(shell pkg-config --cflags starpumpi-1.3) $(filter -I%,$(shell mpicc -show 2>/dev/null))) -Iruntime)

folder = $(subst -,/,$(1))
sources = $(wildcard $(call folder,$(1))/*.c) $(foreach f,$(PARTS_$(1)),$(wildcard $(f)/*.c))
archive = $(B)/lib/$(1).a
# Libraries a program needs that links room $(1).
# isl first: libLLVM exports a copy of isl of its own (Polly's), which would be taken for ours.
libraries = $(sort $(filter -lisl,$(foreach r,$(1) $(NEEDS_$(1)),$(LIBS_$(r))))) $(foreach r,$(1) $(NEEDS_$(1)),$(LIBS_$(r)))
archives = $(foreach r,$(1) $(NEEDS_$(1)),$(call archive,$(r)))

all: $(B)/treefork $(B)/libtreefork.a $(B)/libtreefork.so $(B)/libtreefork-solver.a $(if $(STARPU),$(B)/libtreefork-starpu.a)

define ROOM
OBJECTS_$(1) := $$(patsubst %.c,$(B)/obj/%.o,$$(call sources,$(1)))
$$(OBJECTS_$(1)): CFLAGS += $$(SYSTEM_$(1)) $(if $(filter runtime,$(1)),-Iruntime)
$$(call archive,$(1)): $$(OBJECTS_$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar rcs $$@ $$^
room-$(1): $$(call archive,$(1))
UNIT_$(1) := $$(patsubst tests/unit/%.c,$(B)/unit/%,$$(wildcard tests/unit/$(1)_*.c))
$$(UNIT_$(1)): $(B)/unit/%: $(B)/obj/tests/unit/%.o $$(call archives,$(1))
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(LDFLAGS) $(UNIT_LINKER) -o $$@ $$< -Wl,--start-group $$(call archives,$(1)) -Wl,--end-group $$(call libraries,$(1)) -lm
$(B)/unit/$(1)_%: $(B)/obj/tests/unit/$(1)_%.o
$(B)/obj/tests/unit/$(1)_%.o: CFLAGS += $$(SYSTEM_$(1))
unit-$(1): $$(UNIT_$(1))
	@for t in $$(UNIT_$(1)); do echo "== $$$$t"; $$$$t || exit 1; done
.PHONY: room-$(1) unit-$(1)
endef
$(foreach r,$(ROOMS),$(eval $(call ROOM,$(r))))

$(B)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "CC $<"
	$(Q)$(CC) $(CFLAGS) -c -o $@ $<

# The page's parts (page/README.md): its script is several files in one, its engine the files of runtime/ that read
# tables, compiled for browsers.
PAGE_SCRIPTS := $(patsubst %,page/browser/%.js,document engine formula kernels code point tree detail members plot map roofline compare matrix cells tuning main)
PAGE_RUNTIME := $(patsubst %,runtime/%.c,arithmetic candidates choice choice_search cut explain explained_devices explanation json machine message occupancy part_rows predict resident sectors serial several tables turns walk)
PAGE_ENGINE := page/engine/engine.c page/engine/alone/alone.c
WASM_CC := clang-19 --target=wasm32-wasi -mexec-model=reactor
$(B)/page/script.js: $(PAGE_SCRIPTS)
	@mkdir -p $(@D)
	@cat $^ >$@
$(B)/page/engine.wasm: $(PAGE_ENGINE) $(PAGE_RUNTIME) $(wildcard page/engine/*.h runtime/*.h runtime/*.def) Makefile
	@mkdir -p $(@D)
	@echo "CC $@"
	$(Q)$(WASM_CC) -Os -std=c11 -D_GNU_SOURCE -DTREEFORK_VERSION=\"$(VERSION)\" $(WARNINGS) -Ipage/engine -I. -Iruntime \
	    -Wl,--strip-all -o $@ $(PAGE_ENGINE) $(PAGE_RUNTIME)
$(B)/obj/page/assets.o: page/assets.S $(B)/page/script.js $(B)/page/engine.wasm page/browser/page.html page/browser/page.css
	@mkdir -p $(@D)
	$(Q)$(CC) -DPAGE_SCRIPT='"$(B)/page/script.js"' -DPAGE_ENGINE='"$(B)/page/engine.wasm"' -I. -c -o $@ $<
$(call archive,page): $(B)/obj/page/assets.o

$(B)/treefork: $(call archives,cli)
	@echo "LD $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ -Wl,--start-group $(call archives,cli) -Wl,--end-group $(call libraries,cli) -lm

$(B)/libtreefork.a: $(call archive,runtime)
	@cp $< $@
ABI := $(shell sed -n 's/^\#define TREEFORK_ABI //p' runtime/treefork.h)
$(B)/libtreefork.so: $(OBJECTS_runtime)
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,-soname,libtreefork.so.$(ABI) -o $@ $^ $(LIBS_runtime)

# What a program is linked with in place of libtreefork where tasks of StarPU run its regions (starpu/README.md).
$(B)/libtreefork-starpu.a: $(OBJECTS_runtime) $(OBJECTS_starpu)
	@rm -f $@
	@ar rcs $@ $^
starpu:
	@test -n "$(STARPU)" || { echo "make starpu: StarPU or MPI is not installed (Debian: apt-get install $(STARPU_PACKAGES)); everything else builds without them"; exit 1; }
	@$(MAKE) $(B)/libtreefork-starpu.a

# The constraint solver for other programs (docs/solver.md).
$(B)/libtreefork-solver.a: $(call archives,constraints)
	@rm -f $@
	@ar rcs $@ $(OBJECTS_constraints) $(OBJECTS_base)

# A stand-in for the CUDA driver, for tests: the rooms that run kernels on the CPU, in a shared object.
SIMULATED_NEEDS := tests-cycles ir-llvm $(NEEDS_ir-llvm) ir-ptx runtime
SIMULATED_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/simulated/*.c))
SIMULATED_ARCHIVES := $(foreach r,$(sort $(SIMULATED_NEEDS)),$(call archive,$(r)))
$(SIMULATED_OBJECTS): CFLAGS += $(SYSTEM_ir-llvm)
$(B)/libcuda-simulated.so: $(SIMULATED_OBJECTS) $(SIMULATED_ARCHIVES)
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,-Bsymbolic -o $@ $(SIMULATED_OBJECTS) -Wl,--start-group $(SIMULATED_ARCHIVES) -Wl,--end-group \
	    $(foreach r,$(sort $(SIMULATED_NEEDS)),$(LIBS_$(r))) -lm
EXTRA_CHECK += $(B)/libcuda-simulated.so
unit-runtime: $(B)/libcuda-simulated.so
# The vendor's occupancy header, with which the runtime's and the optimizer's numbers are compared where it is installed.
CUDA_HOME ?= /usr/local/cuda
$(B)/obj/tests/unit/%_occupancy.o: CFLAGS += -isystem $(CUDA_HOME)/include

# Bench-only, empty where it is not installed.
LIBZ3 = $(shell $(CC) -E -include z3.h -xc /dev/null >/dev/null 2>&1 && echo -lz3)
# Random small systems for the solver.
$(B)/fuzz/systems: $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/fuzz/systems*.c)) $(B)/obj/tests/bench/peer.o $(call archives,constraints)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(call archives,constraints) -Wl,--end-group $(call libraries,constraints) $(LIBZ3) -lm
EXTRA_CHECK += $(B)/fuzz/systems

# --- what a user calls ---------------------------------------------------------------------------------------------

deps:
	tools/deps

deps-dev:
	tools/deps --dev

deps-package:
	tools/deps --package

demo: deps
	$(MAKE) all
	tools/demo $(B)

UNITS = $(foreach r,$(ROOMS),$(UNIT_$(r)))
# TESTS="constraints_poly metafork tests/tree": the suite, of these only.
TESTS ?=
ASKED_UNITS = $(if $(TESTS),$(foreach t,$(TESTS),$(filter $(B)/unit/$(t)%,$(UNITS))),$(UNITS))
check: deps-dev
	$(MAKE) suite

# The tests alone, on a machine that has everything.
suite: all $(ASKED_UNITS) $(EXTRA_CHECK)
	@tests/run --build $(B) --llvm $(LLVM) $(TESTS)

quick: all $(UNITS) $(EXTRA_CHECK)
	@tests/run --build $(B) --llvm $(LLVM) --quick

# Everything at full scale: long brute force, all leaves of all programs on OpenCL, all mutants by all witnesses, fuzzing, the
# analyzer across functions.
check-all: deps-dev
	$(MAKE) all
	$(MAKE) fuzz-solver COUNT=20000
	$(MAKE) fuzz-programs COUNT=100
	$(MAKE) fuzz SECONDS=120
	tools/lint $(LLVM) --deep
	$(MAKE) check-members
	TEST_SCALE=full $(MAKE) suite

# All programs on two to four devices of PoCL as one (tests/members): OPTIONS="--of samples --groups 3 --leaf 1".
check-members: all
	POCL_CACHE_DIR=$(CURDIR)/$(B)/pocl-cache python3 tests/members/sweep.py $(B) $(OPTIONS)

unit: $(UNITS)

lint: all
	tools/include-directions
	tools/names $(B)
	tools/house
	tools/lint $(LLVM)

bench: all
	tools/bench $(B)

# The programs of tests/polybench beside their serial loops (docs/results/programs.md): SIZES=small for a quick run,
# OPTIONS="gemm lu --search 10": tools/bench-programs --help.
SIZES ?= medium
bench-programs: all
	POCL_CACHE_DIR=$(CURDIR)/$(B)/pocl-cache tools/bench-programs $(B) --sizes $(SIZES) $(OPTIONS)

# Programs of newcomers as they are, beside gcc -O3 and Polly (docs/results/newcomers.md): tools/bench-newcomers --help.
bench-newcomers: all
	POCL_CACHE_DIR=$(CURDIR)/$(B)/pocl-cache tools/bench-newcomers --build $(B) $(OPTIONS) $(PROGRAMS)

# The same from plain C beside the programs annotated by hand (docs/results/plain.md): tools/bench-plain --help.
bench-plain: all
	POCL_CACHE_DIR=$(CURDIR)/$(B)/pocl-cache tools/bench-plain $(B) --sizes $(SIZES) $(OPTIONS)

# Programs on a CPU device beside gcc -O3, OpenMP and Polly (docs/results/peers.md): POLYBENCH=DIR with PolyBench/C, SIZE=MEDIUM,
# PROGRAMS="gemver mvt", OPTIONS="--rounds 5": tools/bench-peers --help.
SIZE ?= LARGE
bench-peers: all
	tools/bench-peers $(B) $(if $(POLYBENCH),--polybench $(POLYBENCH)) --dataset $(SIZE) $(OPTIONS) $(PROGRAMS)

# Sums beside gcc -ffast-math, OpenMP, OpenBLAS and kernels by hand (docs/results/reduce.md): PROGRAMS="dot rows",
# OPTIONS="--sizes 1e6": tools/bench-reduce --help.
bench-reduce: all
	tools/bench-reduce $(B) $(OPTIONS) $(PROGRAMS)

# Sequences of linear algebra beside a library, OpenMP, Polly and OpenCL by hand: SEQUENCES="gemver".
bench-fusion: all
	tools/bench-fusion $(B) $(OPTIONS) $(SEQUENCES)

# The first programs of NumPy's users beside NumPy and Numba (docs/results/python.md): PROGRAMS="heat blur", OPTIONS="--size 1e7".
bench-python: all
	POCL_CACHE_DIR=$(CURDIR)/$(B)/pocl-cache tools/bench-python $(B) $(OPTIONS) $(PROGRAMS)

# Matrix product, hotspot and n-body on 1 to 16 devices by the model: tables of docs/results/devices.md.
bench-scaling: all
	tools/bench-scaling $(B)

# One folder for a machine with a GPU and a C compiler (tools/gpu-bundle/README.md): there `./run --minutes 8`.
gpu-bundle: all
	tools/gpu-bundle/make $(B) $(B)/gpu-bundle

# What a region's own choice costs and how near it comes to the best candidate.
# How fast the page opens and answers, in Chromium.
bench-page: all
	tools/bench-page $(B)

bench-choice: all
	tools/bench-choice $(B)
	POCL_CACHE_DIR=$(CURDIR)/$(B)/pocl-cache tools/bench-picks $(B) $(OPTIONS)

# Leaves and kernels written by hand on a simulated multiprocessor (tests/cycles, docs/results/cycles.md): OPTIONS="--choice",
# PROGRAMS="matvec": tools/bench-cycles --help.
$(B)/bench/by-hand: $(B)/obj/tests/bench/by_hand.o $(call archives,tests-cycles)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $< -Wl,--start-group $(call archives,tests-cycles) -Wl,--end-group $(call libraries,tests-cycles) -lm
bench-cycles: all $(B)/libcuda-simulated.so $(B)/bench/by-hand
	tools/bench-cycles $(B) $(OPTIONS) $(PROGRAMS)

# What the first launch of a process costs with a warm cache on disk (docs/results/cache.md): OPTIONS="--runs 50"
bench-cache: all
	tools/bench-cache $(B) $(OPTIONS)

# What a launch takes that is the library's own path, on drivers that do nothing: instructions, and the time of 100,000.
bench-launch: all
	python3 tests/cost/launch.py $(B) . $(B)/bench/launch --time

# Renews the tables of leaves and the mapped texts in the samples' READMEs, the answers in docs/plain-c.md, the picture of a tree; read the difference before you commit it.
bless: all
	tools/leaves $(B)
	$(B)/treefork tree samples/matadd/matadd.c --svg >docs/tree-matadd.svg
	tools/man3 --write
	python3 tests/mapper/session.py $(B)/treefork . docs/plain-c.md --write

# SECONDS=600 make fuzz
SECONDS ?= 60
fuzz:
	tools/fuzz $(LLVM) $(SECONDS) "$(LIBS_constraints)"

# Random annotated programs against the tool: COUNT=500 SEED=7 make fuzz-programs; every fourth file also by OpenCL
COUNT ?= 200
SEED ?= 1
fuzz-programs: all
	POCL_CACHE_DIR=$(CURDIR)/$(B)/pocl-cache python3 tests/fuzz/programs.py $(CURDIR)/$(B)/treefork --seed $(SEED) --count $(COUNT) \
	    --device-every 4 --keep $(B)/fuzz-programs

# The constraint solver beside z3 and QEPCAD, where installed, on the problems in SMT; then in process (tests/bench), its memory
# and its threads. OPTIONS="--groups qf --limit 5": tools/bench-solver --help.
SMT ?= $(wildcard ../shared/bench/smt)
OPTIONS ?=
BENCH_leaves := constraints
BENCH_trees := optimizer
BENCH_counters := emit
BENCHES := $(B)/bench/leaves $(B)/bench/trees $(B)/bench/counters
BENCH_OBJECTS := $(B)/obj/tests/bench/problem.o $(B)/obj/tests/bench/peer.o
$(BENCHES): $(B)/bench/%: $(B)/obj/tests/bench/%.o $(BENCH_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -Wl,--start-group $(call archives,$(BENCH_$*)) -Wl,--end-group $(call libraries,$(BENCH_$*)) $(LIBZ3) -lm
$(B)/bench/leaves: $(call archives,constraints)
$(B)/bench/trees: $(call archives,optimizer)
$(B)/bench/counters: $(B)/obj/tests/bench/assembled.o $(call archives,emit)
bench-solver: all $(B)/bench/leaves $(B)/bench/trees $(B)/unit/constraints_memory $(B)/unit/constraints_threads
	@test -n "$(SMT)" || { echo "bench-solver: SMT=FOLDER with the problems is needed"; exit 1; }
	@status=0; tools/bench-solver $(B) $(SMT) --json $(B)/bench/solver.json $(OPTIONS) || status=1; \
	$(B)/bench/leaves $(SMT)/kernel/leaves || status=1; $(B)/bench/trees || status=1; \
	$(B)/unit/constraints_memory 100000 || status=1; $(B)/unit/constraints_threads 10 || status=1; exit $$status

# What the PTX of the samples' leaves spends beside fused operations (docs/results/quality.md).
$(B)/bench/quality: $(B)/obj/tests/bench/quality.o $(call archives,optimizer)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $< -Wl,--start-group $(call archives,optimizer) -Wl,--end-group $(call libraries,optimizer) -lm
bench-quality: all $(B)/bench/quality
	tools/bench-quality $(B)

# Registers beside ptxas or nvJitLink, and what an estimate costs: OPTIONS="--seed 2", tools/bench-counters --help. Needs a toolkit.
bench-counters: all $(B)/bench/counters
	tools/bench-counters $(B) $(OPTIONS)

# Random small systems as scripts beside the program z3, quickly: COUNT=100000 SEED=7 make fuzz-pairs
fuzz-pairs: all
	python3 tests/fuzz/pairs.py $(B)/treefork --seed $(SEED) --count $(COUNT)

# Random small systems against libz3, integer points and the checker: COUNT=100000 SEED=7 make fuzz-solver
fuzz-solver: $(B)/fuzz/systems
	$(B)/fuzz/systems --seed $(SEED) --count $(COUNT) --keep $(B)/fuzz-solver

install: all
	tools/install $(B) "$(DESTDIR)" "$(PREFIX)" "$(LIBDIR)" $(VERSION) "$(LIBS_constraints)"

# Releases: docs/releasing.md.
dist:
	@tools/dist $(VERSION) $(B)/dist
deb: dist
	@tools/deb $(VERSION) $(B)/deb $(B)/dist/treefork-$(VERSION).tar.gz

# A wheel for Python with the tool, the libraries and headers inside.
wheel: all
	tools/wheel $(VERSION) $(B) $(B)/wheel

clean:
	rm -rf build

.PHONY: starpu deps deps-dev demo bless check check-all check-members quick suite unit lint bench bench-cache bench-launch bench-programs bench-plain bench-newcomers bench-python bench-peers bench-reduce bench-fusion bench-scaling bench-solver bench-quality bench-cycles gpu-bundle fuzz fuzz-programs fuzz-solver install dist deb wheel deps-package

.PHONY: all clean
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
