# strut: the one Makefile. `make help` lists the targets.
#
# Variants live side by side in build/<variant>/: `make SAN=address,undefined test` keeps its own objects.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif
.SUFFIXES:

# -- what may include what (design: an arrow is the only permission) ---------------------------
rooms := core ptrace kassist symtab pid-provider ustack dlang formatters cli
may.core         := core
may.ptrace       := core ptrace
may.kassist      := core kassist ustack symtab
may.symtab       := core symtab
may.pid-provider := core symtab pid-provider
may.ustack       := core symtab ustack
may.dlang        := core pid-provider dlang
may.formatters   := core formatters
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
variant := $(if $(SAN),san-$(subst $(comma),-,$(SAN)),release)
B := build/$(variant)

# -Wmaybe-uninitialized is wrong about std::variant at -O2 in g++ 12.
CXXFLAGS := -std=c++23 $(OPT) -Wall -Wextra -Wno-missing-field-initializers -Wno-maybe-uninitialized -fno-omit-frame-pointer \
            $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)
CPPFLAGS := -I. -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
# A tracer is started often: without libstdc++ to load and addresses to relocate it is up 2 ms sooner (bench/run).
LDFLAGS := $(if $(SAN),-fsanitize=$(SAN),-no-pie -static-libstdc++ -static-libgcc)
LDLIBS := -lpthread

sources := $(sort $(wildcard $(addsuffix /*.cpp,$(rooms)) $(addsuffix /*/*.cpp,$(rooms))))
objects := $(sources:%.cpp=$(B)/%.o)
main_object := $(B)/cli/main.o
unit_sources := $(sort $(wildcard tests/unit/*.cpp tests/unit/*/*.cpp))
unit_objects := $(unit_sources:%.cpp=$(B)/%.o)
target_sources := $(sort $(wildcard tests/targets/*.c))
targets := $(target_sources:tests/targets/%.c=build/targets/%) 
personalities := strace truss ltrace dtrace

# -- targets ------------------------------------------------------------------------------------------
.PHONY: all
all: $(B)/strut links layers ## build strut (build/strut and its personalities)

.PHONY: links
links: $(B)/strut
	@ln -sfn $(variant)/strut build/strut
	@for p in $(personalities); do ln -sfn $(variant)/strut build/$$p; done

.PHONY: run
run: deps ## trace a command: make run ARGS='strace -f git status'
	@$(MAKE) --no-print-directory -s all
	@build/strut $(if $(ARGS),$(ARGS),strace ls /)

.PHONY: test
test: deps ## all tests, with all set-up
	@$(MAKE) --no-print-directory all targets $(B)/unit-tests
	@tests/run $(B)

.PHONY: unit
unit: $(B)/unit-tests ## the unit tests only, no set-up
	@$(B)/unit-tests

.PHONY: targets
targets: $(targets) ## the programs that tests trace
	@tests/targets/variants

.PHONY: deps
deps: ## install what building and testing need (apt-get, with sudo where needed)
	@tests/deps

.PHONY: bench
bench: all targets ## interleaved medians against native and the installed strace
	@bench/run

.PHONY: layers
layers: ## fail on an include that no arrow of the design permits
	@$(foreach room,$(rooms),tests/layers $(room) "$(may.$(room))";)

.PHONY: format
format: ## clang-format all sources in place
	clang-format -i $$(git ls-files '*.cpp' '*.hpp')

.PHONY: tidy
tidy: ## clang-tidy-19 over all sources
	clang-tidy-19 --quiet $(sources) -- $(CPPFLAGS) -std=c++23

.PHONY: fuzz
fuzz: ## libFuzzer (clang++-19) on decoding, options and /proc parsing; SECONDS_EACH=60
	@tests/fuzz/run

prefix ?= /usr/local
.PHONY: install
install: all ## install to $(prefix); personalities are linked where no other tool has the name
	install -D -m 755 $(B)/strut $(DESTDIR)$(prefix)/bin/strut
	@for p in $(personalities); do command -v $$p >/dev/null || ln -sfn strut $(DESTDIR)$(prefix)/bin/$$p; done

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

$(B)/%.o: %.cpp $(B)/flags
	@mkdir -p $(@D)
	@echo "  CXX $<"
	@$(CCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c $< -o $@

$(B)/strut: $(objects)
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(B)/unit-tests: $(unit_objects) $(filter-out $(main_object),$(objects))
	@echo "  LINK $@"
	@$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

build/targets/%: tests/targets/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CCACHE) $(CC) -O1 -g -Wall -pthread -D_GNU_SOURCE -MMD -MP -MF $@.d $< -o $@

-include $(objects:.o=.d) $(unit_objects:.o=.d) $(targets:=.d)
