# strut: the one Makefile. `make help` lists the targets.
#
# Variants live side by side in build/<variant>/: `make SAN=address,undefined test` keeps its own objects.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
# A make started by this one shares its parent's jobs.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
.SUFFIXES:

# -- what may include what (design: an arrow is the only permission) ---------------------------
rooms := base syscalls x86 procfs process trace symtab pid-provider ustack dlang dtrace libcalls ptrace kassist formatters cli
below_trace      := base syscalls x86 procfs process
may.base         := base
may.syscalls     := base syscalls
may.x86          := base syscalls x86
may.procfs       := base syscalls procfs
may.process      := base procfs process
may.trace        := $(below_trace) trace
may.symtab       := base procfs process symtab
may.pid-provider := base x86 symtab pid-provider
may.ustack       := base procfs trace symtab ustack
may.dlang        := $(below_trace) trace pid-provider dlang
may.dtrace       := $(below_trace) trace symtab pid-provider ustack dlang dtrace
may.libcalls     := $(below_trace) trace symtab pid-provider libcalls
may.ptrace       := $(below_trace) trace ptrace
may.kassist      := $(below_trace) trace symtab pid-provider ustack dlang kassist
may.formatters   := base syscalls process trace formatters
may.cli          := $(rooms)

# -- tools and flags ------------------------------------------------------------------------------
CXX ?= g++
CC ?= gcc
ifeq ($(origin CXX),default)
CXX := g++
endif
ifeq ($(origin CC),default)
CC := gcc
endif
CCACHE := $(shell command -v ccache 2>/dev/null)
SAN ?=
OPT ?= -O2 -g1
comma := ,
COV ?=
variant := $(if $(COV),coverage,$(if $(SAN),san-$(subst $(comma),-,$(SAN)),release))
B := build/$(variant)

# g++ 12 is wrong about std::variant at -O2; clang++ does not know the warning.
not_warned := -Wno-missing-field-initializers $(if $(findstring clang,$(CXX)),,-Wno-maybe-uninitialized)
CXXFLAGS := -std=c++23 $(OPT) -Wall -Wextra $(not_warned) -fno-omit-frame-pointer \
            $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)$(if $(COV), --coverage -fprofile-update=atomic)
CPPFLAGS := -I. -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
# A tracer is started often: without libstdc++ to load and addresses to relocate it is up 2 ms sooner (bench/run).
LDFLAGS := -no-pie $(if $(SAN),-fsanitize=$(SAN),-static-libstdc++ -static-libgcc)
# Capstone's table of architectures names them all; those that are defined as nothing here stay out of the binary (3.2 MB).
not_linked := ARM AArch64 M68K Mips PPC Sparc SystemZ XCore TMS320C64x M680X EVM MOS65XX WASM BPF RISCV SH TRICORE
# elfutils 0.192 (Debian 13) leaves functions out of its static libraries that they call: the shared ones are used there.
lacks_own := awk '/ U eu_tsearch$$/ { calls = 1 } / T eu_tsearch$$/ { has = 1 } END { exit !calls || has }'
# nm takes a third of a second, and only where the function is called at all.
libelf := $(shell $(CXX) -print-file-name=libelf.a)
elfutils := $(shell { grep -q eu_tsearch $(libelf) && nm $(libelf); } 2>/dev/null | $(lacks_own) && echo -ldw -lelf || echo -l:libdw.a -l:libelf.a)
# Static where a tracer that never uses them would pay for loading them.
LDLIBS := $(foreach part,$(not_linked),-Wl,--defsym=$(part)_global_init=0,--defsym=$(part)_option=0) \
          -l:libcapstone.a -l:libbpf.a $(elfutils) -l:libiberty.a -l:liblzma.a -l:libbz2.a -l:libzstd.a -l:libz.a -lpthread -ldl

# The static binary has the second file in place of the first one.
accounts := process/accounts.cpp process/accounts_static.cpp
files_of = $(filter-out $(lastword $(accounts)),$(sort $(wildcard $(foreach depth,/* /*/* /*/*/*,$(addsuffix $(depth).cpp,$1)))))
# The sources of a folder are compiled as one file, its all.cpp: a build reads each header once for a folder, and takes a quarter of
# the time. Compiled alone are sources with flags of their own, sources whose headers contradict those of others (struct stat), and
# folders of tests whose sources use the same names. `make APART=1` compiles every source alone.
apart := $(accounts) cli/main.cpp cli/dtrace/scripts.cpp kassist/loader/embedded_object.cpp kassist/loader/kernel_types.cpp \
         kassist/plans/usual_plans.cpp symtab/elf/demangle.cpp syscalls/types/fs/stat.cpp
apart += tests/unit/ustack/second_unwinder.cpp $(addprefix tests/unit/,$(addsuffix /%,cli formatters kassist ptrace syscalls x86))
is_apart = $(if $(APART),$1,$(filter $(apart) tools/% bench/%,$1))
together = $(filter-out $(is_apart),$1)
objects_of = $(patsubst %.cpp,$(B)/%.o,$(is_apart)) $(patsubst %/,$(B)/%/all.o,$(sort $(dir $(together))))
sources := $(call files_of,$(rooms))
objects := $(call objects_of,$(sources))
static_objects := $(call objects_of,$(filter-out $(accounts),$(sources)) $(lastword $(accounts)))
main_object := $(B)/cli/main.o
unit_sources := $(call files_of,tests/unit)
unit_objects := $(call objects_of,$(unit_sources))
kernel_objects := $(call objects_of,$(sort $(wildcard tests/kernel/*.cpp tests/unit/dlang/*.cpp)) tests/unit/ustack/second_unwinder.cpp)
target_sources := $(sort $(wildcard tests/targets/*.c))
targets := $(target_sources:tests/targets/%.c=build/targets/%) 
personalities := strace truss ltrace dtrace

# -- targets ------------------------------------------------------------------------------------------
.PHONY: all
all: $(B)/strut links layers ## build strut (build/strut and its personalities)

.PHONY: static
static: build/static/strut ## one file without shared libraries: build/static/strut

.PHONY: links
links: $(B)/strut
	@ln -sfn $(variant)/strut build/strut
	@for p in $(personalities); do ln -sfn $(variant)/strut build/$$p; done

.PHONY: run
run: build-deps ## trace a command: make run ARGS='strace -f git status'
	@$(MAKE) --no-print-directory -s all
	@build/strut $(if $(ARGS),$(ARGS),strace ls /)

.PHONY: test
test: deps ## all tests, with all set-up
	@$(MAKE) --no-print-directory all targets $(B)/unit-tests $(B)/kernel-tests
	@tests/run $(B)

.PHONY: unit
unit: $(B)/unit-tests ## the unit tests only, no set-up
	@$(B)/unit-tests --no-breaks

.PHONY: targets
targets: $(targets) ## the programs that tests trace
	@tests/targets/variants

.PHONY: deps build-deps
deps: ## install what building and testing need (apt-get, with sudo where needed)
	@tests/deps
build-deps: ## install what building alone needs
	@tests/deps build

.PHONY: bench bench-deps
bench: all ## measure against native runs and the installed peers; writes docs/benchmarks.md
	@bench/run --page
bench-deps: ## install the peers that bench compares with
	@tests/deps bench

.PHONY: stock
stock: deps ## kernels from 5.15 to Debian's newest under QEMU trace as this one does
	@$(MAKE) --no-print-directory all targets $(B)/kernel-tests
	@BUILD=$(B) tests/stock/run

.PHONY: layers
layers: ## fail on an include that no arrow of the design permits
	@tests/layers $(foreach room,$(rooms),"$(room): $(may.$(room))")

.PHONY: format
format: ## clang-format-19 all sources in place
	clang-format-19 -i $$(git ls-files '*.cpp' '*.hpp')

.PHONY: tidy
tidy: ## clang-tidy-19 over all sources
	clang-tidy-19 --quiet $(sources) -- $(CPPFLAGS) -std=c++23

.PHONY: soak
soak: all targets ## real workloads under random tools, options and kills for SECS=60 seconds
	@tests/soak/run

.PHONY: coverage
coverage: ## lines and branches that all tests run, by gcov: build/coverage.txt; TESTS=unit: those of the unit tests
	@$(MAKE) --no-print-directory COV=1 all targets build/coverage/unit-tests
	@find build/coverage -name '*.gcda' -delete
	@$(if $(filter unit,$(TESTS)),build/coverage/unit-tests,$(MAKE) --no-print-directory COV=1 test) || true
	@$(MAKE) --no-print-directory -s links
	@tests/coverage

.PHONY: fuzz
fuzz: ## libFuzzer (clang++-19) on decoding, values' text and JSON, options, /proc parsing, ELF and DWARF, D; SECONDS_EACH=60
	+@tests/fuzz/run

.PHONY: libraries
libraries:
	@echo '$(LDLIBS)'

# -- installing -------------------------------------------------------------------------------------------
# LINKS names the tools that strut is to be called by besides: make install LINKS='truss dtrace'. None if not given: what
# is installed does not depend on what else the build machine has.
PREFIX ?= /usr/local
prefix ?= $(PREFIX)
bindir ?= $(prefix)/bin
mandir ?= $(prefix)/share/man
docdir ?= $(prefix)/share/doc/strut
bashdir ?= $(prefix)/share/bash-completion/completions
zshdir ?= $(prefix)/share/zsh/site-functions
fishdir ?= $(prefix)/share/fish/vendor_completions.d
LINKS ?=
STRIP ?= strip
pages := $(sort $(wildcard docs/*.[1-8]))
not_tools = $(filter-out $(personalities),$(LINKS))

completions := $(B)/completions/strut $(B)/completions/_strut $(B)/completions/strut.fish
$(B)/completions/strut: shell := bash
$(B)/completions/_strut: shell := zsh
$(B)/completions/strut.fish: shell := fish
$(completions): $(B)/strut
	@mkdir -p $(@D)
	@$< completion $(shell) > $@.new && mv $@.new $@

# What `make install` puts somewhere, from the root on.
installed := $(bindir)/strut $(foreach page,$(pages),$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
             $(bashdir)/strut $(zshdir)/_strut $(fishdir)/strut.fish $(addprefix $(docdir)/,LICENSE NEWS.md README.md) \
             $(addprefix $(docdir)/,$(sort $(wildcard examples/* docs/*.md docs/*.json docs/charts/*)))

.PHONY: install uninstall
install: all $(completions) ## install to PREFIX (/usr/local) below DESTDIR; LINKS='strace ltrace truss dtrace': as these tools, too
	$(if $(not_tools),$(error LINKS: $(not_tools): strut is none of these; it is $(personalities)))
	install -D -m 755 $(B)/strut $(DESTDIR)$(bindir)/strut
	$(STRIP) $(DESTDIR)$(bindir)/strut
	for page in $(pages); do install -D -m 644 $$page $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}; done
	install -D -m 644 $(B)/completions/strut $(DESTDIR)$(bashdir)/strut
	install -D -m 644 $(B)/completions/_strut $(DESTDIR)$(zshdir)/_strut
	install -D -m 644 $(B)/completions/strut.fish $(DESTDIR)$(fishdir)/strut.fish
	install -D -m 644 -t $(DESTDIR)$(docdir) LICENSE NEWS.md README.md
	install -D -m 644 -t $(DESTDIR)$(docdir)/examples examples/*
	install -D -m 644 -t $(DESTDIR)$(docdir)/docs docs/*.md docs/*.json
	install -D -m 644 -t $(DESTDIR)$(docdir)/docs/charts docs/charts/*
	@for tool in $(LINKS); do \
	  ln -sfn strut $(DESTDIR)$(bindir)/$$tool; \
	  ln -sfn strut-$$tool.1 $(DESTDIR)$(mandir)/man1/$$tool.1; \
	  $(B)/strut completion bash $$tool > $(DESTDIR)$(bashdir)/$$tool; \
	  $(B)/strut completion zsh $$tool > $(DESTDIR)$(zshdir)/_$$tool; \
	  $(B)/strut completion fish $$tool > $(DESTDIR)$(fishdir)/$$tool.fish; \
	done
uninstall: ## remove what install has put below DESTDIR and PREFIX, links to strut included
	rm -f $(addprefix $(DESTDIR),$(installed))
	@for tool in $(personalities); do \
	  [ "$$(readlink $(DESTDIR)$(bindir)/$$tool)" = strut ] || continue; \
	  rm -f $(DESTDIR)$(bindir)/$$tool $(DESTDIR)$(mandir)/man1/$$tool.1 $(DESTDIR)$(bashdir)/$$tool \
	    $(DESTDIR)$(zshdir)/_$$tool $(DESTDIR)$(fishdir)/$$tool.fish; \
	done
	@rmdir $(DESTDIR)$(docdir)/examples $(DESTDIR)$(docdir)/docs/charts $(DESTDIR)$(docdir)/docs $(DESTDIR)$(docdir) 2>/dev/null || true

version := $(shell sed -n 's/.*kVersion = "\(.*\)";/\1/p' cli/personality.hpp)
.PHONY: dist
dist: ## the sources of the last commit: build/strut-VERSION.tar.xz
	@mkdir -p build
	git archive --prefix=strut-$(version)/ HEAD | xz > build/strut-$(version).tar.xz

.PHONY: deb
deb: all $(completions) ## Debian packages strut and strut-dbgsym in build/deb (needs debhelper)
	@command -v dh >/dev/null || { echo "deb: needs debhelper: apt-get install debhelper" >&2; exit 1; }
	@rm -rf build/deb && mkdir -p build/deb
	@debian/rules binary
	@dh_clean

.PHONY: debtest
debtest: deb ## the packages in a new root of Debian, by debootstrap: installed, used, upgraded, removed; SUITE=bookworm
	@tests/package/run $(SUITE)

.PHONY: sourcetest
sourcetest: ## the README's commands in a new root of Debian, and the packages made there; SUITE=bookworm
	@tests/package/from_source $(SUITE)

.PHONY: clean
clean: ## remove build/
	rm -rf build

.PHONY: help
help: ## this list
	@sed -nE 's/^([a-z]+):[^#]*## (.*)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

# -- rules --------------------------------------------------------------------------------------------
flags_now := $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(LDLIBS)
$(B)/flags: force
	@mkdir -p $(@D); echo '$(flags_now)' | cmp -s - $@ || echo '$(flags_now)' > $@
.PHONY: force
force:

# The BPF programs are the same in every variant; clang is the compiler that knows the target.
bpf_objects := build/bpf/strut.bpf.o build/bpf/strut-plain.bpf.o build/bpf/functions.bpf.o \
               build/bpf/functions-awake.bpf.o build/bpf/dlang.bpf.o build/bpf/threads.bpf.o
BPF_CLANG ?= clang
BPFFLAGS := -target bpf -mcpu=v3 -O2 -g -Wall -Wextra -Wno-unused-parameter -D__TARGET_ARCH_x86 -I. -Ibuild/bpf -I/usr/include/x86_64-linux-gnu
build/bpf/strut-plain.bpf.o: BPFFLAGS += -DSTRUT_PLAIN
build/bpf/strut.bpf.o build/bpf/strut-plain.bpf.o: kassist/kernel/syscalls/strut.bpf.c
build/bpf/functions-awake.bpf.o: BPFFLAGS += -DSTRUT_AWAKE
build/bpf/functions.bpf.o build/bpf/functions-awake.bpf.o: kassist/kernel/functions/functions.bpf.c
build/bpf/dlang.bpf.o: kassist/kernel/dtrace/dlang.bpf.c
build/bpf/threads.bpf.o: kassist/kernel/syscalls/threads.bpf.c
# Numbers of calls by what they do, out of the system-call table.
table_objects := $(call objects_of,$(call files_of,base syscalls))
$(B)/call-numbers: $(B)/tools/call_numbers.o $(table_objects)
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ -o $@
build/bpf/call_numbers.h: $(B)/call-numbers
	@mkdir -p $(@D)
	@$< > $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
$(bpf_objects):
	@mkdir -p $(@D)
	@echo "  BPF $@"
	@$(BPF_CLANG) $(BPFFLAGS) -MMD -MP -MF $@.d -c $< -o $@
$(bpf_objects): build/bpf/call_numbers.h
-include $(bpf_objects:=.d)

# clang makes BTF only beside DWARF, which nothing reads in the binary.
embedded_objects := $(bpf_objects:build/bpf/%=build/bpf/embedded/%)
$(B)/without-dwarf: $(B)/tools/without_dwarf.o
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ -l:libbpf.a -l:libelf.a -l:libzstd.a -l:libz.a -o $@
build/bpf/embedded/%.bpf.o: build/bpf/%.bpf.o $(B)/without-dwarf
	@mkdir -p $(@D)
	@$(B)/without-dwarf $< $@.new && mv $@.new $@

$(B)/kassist/loader/embedded_object.o: private CPPFLAGS += -DSTRUT_BPF_OBJECTS='"build/bpf/embedded"'
$(B)/kassist/loader/embedded_object.o: private CCACHE :=
$(B)/kassist/loader/embedded_object.o: $(embedded_objects)

# The scripts of examples/ are a part of the binary. The folder's time changes when one is removed.
scripts := $(sort $(wildcard examples/*.d))
build/examples/scripts.inc: $(scripts) examples
	@mkdir -p $(@D)
	@for script in $(scripts); do \
	  printf 'SCRIPT("%s", R"script(%s\n)script")\n' "$$(basename $$script .d)" "$$(cat $$script)"; \
	done >$@.new && mv $@.new $@
$(B)/cli/dtrace/scripts.o: private CPPFLAGS += -DSTRUT_SCRIPTS='"build/examples/scripts.inc"'
$(B)/cli/dtrace/scripts.o: build/examples/scripts.inc

# Plans of the usual request are computed here, once, and not at each start.
plan_sources := tools/usual_plans.cpp $(filter-out kassist/plans/usual_plans.cpp,$(sort $(wildcard kassist/plans/*.cpp))) \
                $(call files_of,base syscalls x86 procfs process trace)
plan_objects := $(call objects_of,$(plan_sources))
$(B)/usual-plans: $(plan_objects)
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@
$(B)/usual-plans.bin: $(B)/usual-plans
	@$< > $@
$(B)/kassist/plans/usual_plans.o: private CPPFLAGS += -DSTRUT_USUAL_PLANS='"$(B)/usual-plans.bin"'
$(B)/kassist/plans/usual_plans.o: private CCACHE :=
$(B)/kassist/plans/usual_plans.o: $(B)/usual-plans.bin

# Each all.cpp is written while make reads this file, if the list of its folder's sources has changed. No shell is started for a list
# that is the same: there are eighty of them.
units := $(filter %/all.o,$(sort $(objects) $(static_objects) $(plan_objects) $(table_objects) $(unit_objects) $(kernel_objects)))
folder_of = $(1:$(B)/%/all.o=%)
files_in = $(call together,$(sort $(wildcard $(folder_of)/*.cpp)))
hash := \#
define newline


endef
text_of = $(foreach file,$(files_in),$(hash)include "$(file)"$(newline))
is_new = $(subst x$(strip $(file <$2))x,,x$(strip $1)x)
write_new = $(if $(is_new),$(shell mkdir -p $(dir $2))$(file >$2,$1))
# Binaries depend on the list of their objects, too: when a source is removed, no object is newer than the binary.
linked := $(sort $(objects) $(static_objects) $(unit_objects) $(kernel_objects))
ifneq ($(filter-out help clean deps build-deps bench-deps dist format,$(or $(MAKECMDGOALS),all)),)
$(foreach unit,$(units),$(call write_new,$(call text_of,$(unit)),$(unit:.o=.cpp)))
$(call write_new,$(linked),$(B)/linked)
endif
$(B)/linked: ;
$(B)/strut $(B)/unit-tests $(B)/kernel-tests build/static/strut: $(B)/linked
$(units): %.o: %.cpp $(B)/flags
	@echo "  CXX $(call folder_of,$@): $(words $(call files_in,$@)) files"
	@$(CCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c $< -o $@

$(B)/%.o: %.cpp $(B)/flags
	@mkdir -p $(@D)
	@echo "  CXX $<"
	@$(CCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c $< -o $@

$(B)/strut: $(objects)
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $(filter %.o,$^) $(LDLIBS) -o $@

# The same with the C library in it, and without NSS: one file, for containers and rescue systems.
build/static/strut: $(static_objects)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) -static $(filter %.o,$^) $(LDLIBS) -o $@

# libunwind is a second opinion on stacks, and no part of strut.
$(B)/unit-tests $(B)/kernel-tests $(B)/bench-stacks: private LDLIBS += -lunwind-ptrace -lunwind-x86_64
$(B)/unit-tests: $(unit_objects) $(filter-out $(main_object),$(objects))
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $(filter %.o,$^) $(LDLIBS) -o $@

# What only the kernel can answer: as root.
$(B)/kernel-tests: $(kernel_objects) $(filter-out $(main_object),$(objects))
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $(filter %.o,$^) $(LDLIBS) -o $@

$(B)/bench-stacks: $(B)/tests/unit/ustack/second_unwinder.o
# What a room costs by itself: make build/release/bench-dlang && build/release/bench-dlang
$(B)/bench-%: $(B)/bench/%.o $(filter-out $(main_object),$(objects))
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

build/targets/%: tests/targets/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CCACHE) $(CC) -O1 -g -Wall -pthread -D_GNU_SOURCE -MMD -MP -MF $@.d $< -o $@

-include $(sort $(objects:.o=.d) $(static_objects:.o=.d)) $(plan_objects:.o=.d) $(B)/tools/call_numbers.d $(B)/tools/without_dwarf.d $(unit_objects:.o=.d) $(kernel_objects:.o=.d) $(targets:=.d)
