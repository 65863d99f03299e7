# tributary - `make help` lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
# macOS has no nproc.
PROCESSORS := $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(PROCESSORS)
endif
ifeq ($(origin CC),default)
CC := gcc
endif
SPACE := $() $()
HASH := \#
COMMA := ,

# What the compiler and its linker take without a warning. On macOS gcc is a name of clang, so names
# say nothing.
TAKES = $(shell $(CC) $(CFLAGS) -Werror $1 -include stdio.h -S -x c -o /dev/null /dev/null 2>/dev/null && echo '$1')
LINKS = $(shell $(CC) $1 -shared -x c -o /dev/null /dev/null 2>/dev/null && echo '$1')
APPLE := $(shell $(CC) $(CFLAGS) -dM -E -x c /dev/null 2>/dev/null | grep -o __APPLE__)

BUILD ?= build
# gcc's -O2 with these makes kernels as fast as -O3 does, in three quarters of the time.
TUNED := $(call TAKES,-fvect-cost-model=dynamic)
OPT ?= $(if $(TUNED),-O2 -fvect-cost-model=dynamic -fpeel-loops,-O3)
SANITIZE ?=
WERROR ?=
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^$(HASH)define TRIB_VERSION "\(.*\)"/\1/p' base/base.h)
MAJOR := $(firstword $(subst ., ,$(VERSION)))
LIBRARY := $(if $(APPLE),libtributary.dylib,libtributary.so)
SONAME := $(if $(APPLE),libtributary.$(MAJOR).dylib,libtributary.so.$(MAJOR))

# Homebrew keeps libraries of which macOS has its own apart from the others.
BREW := $(if $(APPLE),$(shell brew --prefix 2>/dev/null))
ifneq ($(BREW),)
KEGS := $(wildcard $(foreach keg,icu4c openblas zlib libarchive curl libxml2 sqlite,$(BREW)/opt/$(keg)/lib/pkgconfig))
export PKG_CONFIG_PATH := $(subst $(SPACE),:,$(strip $(PKG_CONFIG_PATH) $(KEGS)))
BREW_CFLAGS := -I$(BREW)/include -I$(BREW)/opt/libomp/include
BREW_LIBS := -L$(BREW)/lib -L$(BREW)/opt/libomp/lib
endif
# Older versions of make do not pass exported variables to $(shell).
PKG_CONFIG := $(if $(BREW),PKG_CONFIG_PATH='$(PKG_CONFIG_PATH)' )pkg-config

# Lowest first: a folder uses only those before it (tests/base/layers.c).
ROOMS := support result comm text config store stages output report run index library app program
FOLDERS := base tensor tensor/formats tokenizer decomp influence/factors influence influence/passages influence/candidates $(ROOMS:%=pipeline/%)
PACKAGES := icu-uc icu-i18n yaml-0.1 openblas jansson libxxhash nettle zlib libzstd libarchive libxml-2.0 sqlite3
# libstemmer has no module of pkg-config.
MISSING := $(shell for p in $(PACKAGES); do $(PKG_CONFIG) --exists $$p 2>/dev/null || echo $$p; done; \
	echo '$(HASH)include <libstemmer.h>' | $(CC) $(BREW_CFLAGS) $(CFLAGS) -E -x c - >/dev/null 2>&1 || echo libstemmer)
# Optional libraries, used when pkg-config finds them; the sources test TRIB_WITH_CURL and
# TRIB_WITH_TEXTCAT.
EXTRAS := $(foreach p,libcurl libexttextcat,$(shell $(PKG_CONFIG) --exists $p 2>/dev/null && echo $p))
WITH_libcurl := CURL
WITH_libexttextcat := TEXTCAT
# Warnings about headers of others say nothing about ours, so these are system headers.
PKG_CFLAGS := $(if $(MISSING),,$(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags $(PACKAGES) $(EXTRAS)) $(BREW_CFLAGS)) \
	$(foreach p,$(EXTRAS),-DTRIB_WITH_$(WITH_$p)))
PKG_LIBS := $(if $(MISSING),,$(BREW_LIBS) $(shell $(PKG_CONFIG) --libs $(PACKAGES) $(EXTRAS)) -lstemmer)

# Libraries that few commands use are loaded when they are first needed: with them the program takes
# three times as long to start. The loader finds them by these names. Where the names are not known,
# the libraries are linked.
HTTP := $(if $(MISSING),,$(shell $(PKG_CONFIG) --exists libmicrohttpd && echo libmicrohttpd))
LOADED_LIBS := $(if $(MISSING),,$(shell $(PKG_CONFIG) --libs openblas $(filter libcurl,$(EXTRAS)) $(HTTP)))
LOADED = -shared -Wl,--no-as-needed $(LDFLAGS) -x c /dev/null -x none $(LOADED_LIBS)
LOADED_NAMES := $(if $(MISSING),,$(shell t=$$(mktemp) && $(CC) -o $$t $(LOADED) 2>/dev/null && readelf -d $$t 2>/dev/null | \
	sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; rm -f $$t))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	$(if $(call TAKES,-Wpass-failed),-Wno-pass-failed)
# gcc needs a third of its time to record where the variables of optimised kernels are.
TRACKING := $(call TAKES,-fno-var-tracking)
SANITIZER := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
# _FORTIFY_SOURCE is for optimised builds.
OPTIMISED := $(shell $(CC) $(OPT) $(CFLAGS) -dM -E -x c /dev/null 2>/dev/null | grep -o __OPTIMIZE__)
HARDENED := $(if $(SANITIZE),,$(call TAKES,-fstack-protector-strong) $(call TAKES,-fcf-protection) \
	$(if $(OPTIMISED),$(lastword $(or $(call TAKES,$(OPT) -D_FORTIFY_SOURCE=3),$(call TAKES,$(OPT) -D_FORTIFY_SOURCE=2)))))
BOUND := $(call LINKS,-Wl$(COMMA)--as-needed) $(call LINKS,-Wl$(COMMA)-z$(COMMA)relro$(COMMA)-z$(COMMA)now)
# Apple's clang takes OpenMP only by its first half, and has no library of it.
OPENMP := $(or $(call TAKES,-fopenmp),-Xpreprocessor -fopenmp)
OPENMP_LINKED := $(if $(filter -Xpreprocessor,$(OPENMP)),-lomp,-fopenmp)
# _XOPEN_SOURCE hides on macOS what _DARWIN_C_SOURCE shows again.
STANDARD := -std=c11 -D_XOPEN_SOURCE=700 $(if $(APPLE),-D_DARWIN_C_SOURCE)
COMPILE_FLAGS := $(STANDARD) -g $(TRACKING) $(OPT) $(OPENMP) -ffp-contract=off -fPIC -fvisibility=hidden $(WARNINGS) $(WERROR) \
	-MMD -MP -I. $(PKG_CFLAGS) $(HARDENED) $(SANITIZER) $(if $(SANITIZE),-DTRIB_PORTABLE) $(CFLAGS)
LINK_FLAGS := $(OPENMP_LINKED) $(BOUND) $(SANITIZER) $(LDFLAGS)
LIBS := $(PKG_LIBS) $(if $(LOADED_NAMES),-ldl,$(if $(HTTP),$(shell $(PKG_CONFIG) --libs $(HTTP)))) -lm
# The folder of the sources is no part of what is made from them.
NO_FOLDER := $(if $(call TAKES,-ffile-prefix-map=a=b),'-ffile-prefix-map=$(CURDIR)=.')
COMPILED := $(CC) $(COMPILE_FLAGS) $(CXX)
LINKED := $(CC) $(LINK_FLAGS) $(LIBS)
LINK = $(Q)$(CC) $(if $(APPLE),,-pie) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(LIBS)
Q := $(if $(V),,@)
AGAIN = @+$(MAKE) --no-print-directory
# Targets that install and then call make again; two of them at the same time would write the same
# files.
INSTALLING := demo check check-sanitized check-threads fuzz hostile check-browser check-python check-r mpi check-mpi check-machines \
	random random-mpi validate rehearsal
ifneq ($(filter $(INSTALLING),$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
said = $(if $(V),,@echo '  $1')

SOURCES := $(filter-out pipeline/program/main.c pipeline/comm/mpi.c,$(foreach f,$(FOLDERS),$(wildcard $f/*.c)))
MADE := $(BUILD)/influence/method_table $(addprefix $(BUILD)/pipeline/,program/command_table config/key_table \
	result/field_table text/format_table text/marked_table)
EMBEDDED := $(MADE:%=%.o) $(BUILD)/base/commit.o \
	$(addprefix $(BUILD)/pipeline/,program/small_corpus.o program/completions.o report/page_files.o \
	app/page_files.o text/tables.o)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(EMBEDDED)
# What programs include: tributary.h and all headers that it includes, installed side by side as
# tributary/NAME.h.
HEADERS := $(filter %.h,$(shell $(CC) $(STANDARD) -I. -MM pipeline/library/tributary.h))
BENCHES := $(wildcard tests/bench/*.c)
BENCH_OBJECTS := $(BENCHES:%.c=$(BUILD)/%.o)
VALIDATES := $(wildcard tests/validate/*.c)
VALIDATE_OBJECTS := $(VALIDATES:%.c=$(BUILD)/%.o) $(BUILD)/tests/planting/planting.o
REHEARSALS := $(wildcard tests/rehearsal/*.c)
REHEARSAL_OBJECTS := $(REHEARSALS:%.c=$(BUILD)/%.o)
EXPERIMENTS := $(wildcard tests/experiments/*.c)
EXPERIMENT_OBJECTS := $(EXPERIMENTS:%.c=$(BUILD)/%.o) $(foreach f,clock texts synthetic,$(BUILD)/tests/bench/$f.o)
SURVIVALS := $(wildcard tests/survival/*.c)
FEW_WORDS := $(wildcard tests/few_words/*.c)
TESTS := $(filter-out $(BENCHES) $(EXPERIMENTS) $(VALIDATES) $(REHEARSALS) $(SURVIVALS) $(FEW_WORDS),$(wildcard tests/*.c tests/*/*.c tests/*/*/*.c))
TEST_OBJECTS := $(TESTS:%.c=$(BUILD)/%.o)
OURS := $(foreach f,$(FOLDERS) examples,$(wildcard $f/*.[ch])) $(TESTS) $(BENCHES) $(EXPERIMENTS) $(VALIDATES) $(REHEARSALS) $(SURVIVALS) $(FEW_WORDS) $(wildcard tests/*.h tests/*/*.h tests/*/*/*.h tests/bench/*.cc)

## all: build ./tributary (the default); installs nothing
all: tributary

tributary: $(BUILD)/tributary
	@cp $< $@

$(BUILD)/tributary: $(BUILD)/pipeline/program/main.o $(OBJECTS) $(BUILD)/linked
	$(call said,link $@)
	$(LINK)

$(BUILD)/%.o: %.c $(BUILD)/compiled | libraries
	@mkdir -p $(@D)
	$(call said,compile $<)
	$(Q)$(CC) $(COMPILE_FLAGS) $(NO_FOLDER) -c -o $@ $<

# Files with the command lines of the compiler and of the linker. A file changes when its command
# line does, because of a flag or a new library; then everything that depends on it is built again.
QUOTED = '$(subst ','\'',$(strip $1))'
$(BUILD)/compiled: WORDS = $(COMPILED)
$(BUILD)/linked: WORDS = $(LINKED)
$(BUILD)/compiled $(BUILD)/linked $(BUILD)/with-mpi $(BUILD)/base/commit: always
	@mkdir -p $(@D)
	@printf '%s\n' $(call QUOTED,$(WORDS)) | cmp -s - $@ || printf '%s\n' $(call QUOTED,$(WORDS)) >$@

# Files that the program contains: the small corpus, which `tributary init` writes, the scripts of
# `tributary completion`, the style sheet and the script of the report, and the tables of markup.
EMBED := pipeline/support/embed
SMALL := $(sort $(patsubst corpora/carrow-bay/%,%,$(wildcard corpora/carrow-bay/*.yaml corpora/carrow-bay/texts/*.txt)))
$(BUILD)/pipeline/program/small_corpus.c: $(EMBED) pipeline/program/command.h $(SMALL:%=corpora/carrow-bay/%)
	@mkdir -p $(@D)
	$(Q)$(EMBED) pipeline/program/command.h trib_small_corpus corpora/carrow-bay $(SMALL) >$@

SHELLS := bash zsh fish
$(BUILD)/pipeline/program/completions.c: $(EMBED) pipeline/program/command.h $(SHELLS:%=pipeline/program/completion/%)
	@mkdir -p $(@D)
	$(Q)$(EMBED) pipeline/program/command.h trib_completions pipeline/program/completion $(SHELLS) >$@

# Tables of C that are made from plain text: methods of influence, commands and flags, keys, the
# fields of results, formats of texts, marks in plain text.
$(BUILD)/influence/method_table.c: influence/methods.awk influence/methods.txt
$(BUILD)/pipeline/program/command_table.c: pipeline/program/commands.awk pipeline/program/commands.txt
$(BUILD)/pipeline/config/key_table.c: pipeline/config/keys.awk pipeline/config/keys.txt
$(BUILD)/pipeline/result/field_table.c: pipeline/result/records.awk pipeline/result/record.h pipeline/result/running_text.h
$(BUILD)/pipeline/text/format_table.c: pipeline/text/text_formats.awk pipeline/text/text_formats.txt
$(BUILD)/pipeline/text/marked_table.c: pipeline/text/marked.awk pipeline/text/marked.txt
$(MADE:%=%.c): base/table.awk
	@mkdir -p $(@D)
	$(Q)awk $(if $(filter %.txt,$^),-f base/table.awk) -f $(filter-out base/table.awk,$^) >$@

# report.css and report.js are made of several files.
PAGE_FILES := report.css report.js read.css read.js
$(BUILD)/pipeline/report/report.css: $(addprefix pipeline/report/files/,report.css finds.css map.css)
$(BUILD)/pipeline/report/report.js: $(addprefix pipeline/report/files/,report.js judge.js \
	numbers.js search.js across.js finds.js map.js)
$(BUILD)/pipeline/report/read.css: pipeline/report/files/read.css
$(BUILD)/pipeline/report/read.js: $(addprefix pipeline/report/files/,judge.js \
	numbers.js read.js)
$(PAGE_FILES:%=$(BUILD)/pipeline/report/%): pipeline/report/files/compact
	@mkdir -p $(@D)
	$(Q)pipeline/report/files/compact $(filter-out %/compact,$^) >$@

$(BUILD)/pipeline/report/page_files.c: $(EMBED) $(PAGE_FILES:%=$(BUILD)/pipeline/report/%)
	$(Q)$(EMBED) pipeline/report/report.h trib_report_files $(@D) $(PAGE_FILES) >$@

# The pages of the application, and the help beside them.
APP_FILES := $(notdir $(wildcard pipeline/app/files/* docs/app.md docs/interpretation.md \
	docs/tutorial.md))
$(BUILD)/pipeline/app/files/%.md: docs/%.md
	@mkdir -p $(@D) && cp $< $@
$(BUILD)/pipeline/app/files/app.css: pipeline/report/files/report.css pipeline/app/files/app.css
	@mkdir -p $(@D) && cat $^ >$@
$(BUILD)/pipeline/app/files/%: pipeline/app/files/%
	@mkdir -p $(@D) && cp $< $@
$(BUILD)/pipeline/app/page_files.c: $(EMBED) $(APP_FILES:%=$(BUILD)/pipeline/app/files/%)
	$(Q)$(EMBED) pipeline/app/app.h trib_app_files $(@D)/files $(APP_FILES) >$@

TABLES := $(notdir $(wildcard pipeline/text/vocabularies/*.yaml))
$(BUILD)/pipeline/text/tables.c: $(EMBED) $(TABLES:%=pipeline/text/vocabularies/%)
	@mkdir -p $(@D)
	$(Q)$(EMBED) pipeline/text/elements.h trib_markup_tables pipeline/text/vocabularies $(TABLES) >$@

# The commit of these sources. A new commit compiles this file only.
COMMIT := $(shell packaging/commit)
$(BUILD)/base/commit: WORDS = $(COMMIT)
$(BUILD)/base/commit.c: $(BUILD)/base/commit
	@printf '%s\n' '#include "base/internal.h"' 'const char trib_commit[] = "$(COMMIT)";' >$@

$(EMBEDDED): %.o: %.c $(BUILD)/compiled | libraries
	$(Q)$(CC) $(COMPILE_FLAGS) -c -o $@ $<

# Names missing libraries before the compilation starts.
libraries:
	@test -z '$(MISSING)' || { echo 'missing: $(MISSING) (as pkg-config calls them); install them with:'; \
	    .ci/install --names build; exit 1; } >&2

## deps: install what the build needs and what is absent, with apt; with another package manager
##     print its command
deps:
	@.ci/install build extras

# Where libexttextcat keeps its models of languages.
$(BUILD)/tokenizer/guess.o: COMPILE_FLAGS += -DTRIB_TEXTCAT_DATA='"$(shell $(PKG_CONFIG) --variable=pkgdatadir libexttextcat 2>/dev/null)"'

LOADED_NAME = $(patsubst %,-D$1='"%"',$(filter $2.%,$(LOADED_NAMES)))
$(BUILD)/decomp/diagnose.o: COMPILE_FLAGS += $(call LOADED_NAME,TRIB_OPENBLAS,libopenblas)
$(BUILD)/pipeline/program/download.o: COMPILE_FLAGS += $(call LOADED_NAME,TRIB_CURL,libcurl)
$(BUILD)/pipeline/app/serve.o: COMPILE_FLAGS += $(if $(HTTP),-DTRIB_WITH_MICROHTTPD $(shell $(PKG_CONFIG) --cflags $(HTTP))) \
	$(call LOADED_NAME,TRIB_MICROHTTPD,libmicrohttpd)
$(BUILD)/pipeline/program/doctor.o: COMPILE_FLAGS += $(if $(HTTP),-DTRIB_MICROHTTPD_VERSION='"$(shell $(PKG_CONFIG) --modversion $(HTTP))"')

# The program for several processes differs in one object, that of the communicator. The second one
# holds few words in memory, for tests.
MPI := $(shell for p in ompi-c mpich; do pkg-config --exists $$p 2>/dev/null && echo $$p && break; done)
$(BUILD)/with-mpi: WORDS = $(MPI)
$(BUILD)/pipeline/comm/mpi.o: $(BUILD)/with-mpi
$(BUILD)/pipeline/comm/mpi.o: COMPILE_FLAGS += $(if $(MPI),$(shell pkg-config --cflags $(MPI)))
$(BUILD)/tributary-mpi $(BUILD)/tests/few_words/tributary-mpi: $(BUILD)/pipeline/program/main.o $(BUILD)/pipeline/comm/mpi.o \
		$(filter-out $(BUILD)/pipeline/comm/alone.o,$(OBJECTS)) $(BUILD)/linked
	$(call said,link $@)
	$(LINK) $(shell pkg-config --libs $(MPI)) $(REPLACED)
$(BUILD)/tests/few_words/tributary-mpi: $(FEW_WORDS:%.c=$(BUILD)/%.o)
$(BUILD)/tests/few_words/tributary-mpi: REPLACED := -Wl,--wrap=trib_run_execute

## mpi: build ./tributary-mpi, for several machines: mpirun -n 4 ./tributary-mpi run CONFIG; where
##     both are installed, with Open MPI, or with MPI=mpich
mpi:
	@.ci/install build extras $(or $(filter mpich,$(MPI)),mpi)
	$(AGAIN) tributary-mpi

tributary-mpi: $(BUILD)/tributary-mpi
	@cp $< $@

## check-mpi: run experiments by 1 to 5 processes and compare every byte with the program
##     alone (MPI=mpich: with MPICH)
## check-machines: the same on two machines, which are network namespaces here (needs root)
check-mpi:
	@.ci/install build extras $(or $(filter mpich,$(MPI)),mpi)
	$(AGAIN) $(BUILD)/tributary $(BUILD)/tributary-mpi $(BUILD)/tests/few_words/tributary-mpi
	@TRIBUTARY=$(BUILD)/tributary TRIBUTARY_MPI=$(BUILD)/tributary-mpi \
	    FEW_WORDS=$(BUILD)/tests/few_words/tributary-mpi tests/mpi

check-machines:
	@.ci/install build extras mpi
	$(AGAIN) $(BUILD)/tributary $(BUILD)/tributary-mpi
	@TRIBUTARY=$(BUILD)/tributary TRIBUTARY_MPI=$(BUILD)/tributary-mpi tests/machines

## demo: install missing packages, build, write the texts, run an experiment on them, print its
##     answer
demo:
	@.ci/install build extras
	$(AGAIN) tributary
	@corpora/demo

## check: install the packages that the tests need, build, run all tests
check:
	@.ci/install build extras test
	$(AGAIN) run-tests

# Only GNU linkers insert functions (--wrap) in a program; elsewhere its test is skipped.
SURVIVAL := $(if $(APPLE),,$(BUILD)/tests/survival/program)
# The first make looked for the libraries before they were installed, so a second make runs the
# tests. OMP_WAIT_POLICY=passive and OPENBLAS_THREAD_TIMEOUT=4 keep waiting threads from spinning
# when there are more threads than processors.
run-tests: $(BUILD)/tests/run $(BUILD)/tributary $(SURVIVAL)
	@OMP_WAIT_POLICY=passive OPENBLAS_THREAD_TIMEOUT=4 TRIBUTARY=$(BUILD)/tributary \
	    $(BUILD)/tests/run $(ONLY)

$(BUILD)/tests/run: $(TEST_OBJECTS) $(OBJECTS) $(BUILD)/linked
	$(call said,link $@)
	$(LINK) -lcunit

## check-browser: open reports in headless Chromium, as a reader does (needs node, npm, Chromium);
##     ONLY='390 keyboard': checks with these parts in their names
check-browser:
	@.ci/install build extras browser
	$(AGAIN) $(BUILD)/tributary
	@tests/browser/run $(BUILD)/tributary $(ONLY)

# A Python that has what the tests of the package need.
PYTHON ?= $(firstword $(foreach p,python3 /usr/bin/python3,$(shell $p -c 'import numpy, pytest' 2>/dev/null && echo $p)) python3)

## check-python: install the program, the library and the Python package into a folder, and run the
##     package's tests there; ONLY='schema or notebook': tests with these words in their names
check-python:
	@.ci/install build extras python
	$(AGAIN) run-python-tests

## check-r: install the program into a folder and run R CMD check on the R package, with its tests,
##     its examples and its vignette; ONLY=texts: the tests of one file
check-r:
	@.ci/install build extras r
	$(AGAIN) run-r-tests

run-python-tests run-r-tests: run-%-tests:
	@rm -rf '$(CURDIR)/$(BUILD)/$*'
	$(AGAIN) install DESTDIR='$(CURDIR)/$(BUILD)/$*' PREFIX=/usr >/dev/null
	@bindings/$*/tests/all $(if $(filter python,$*),'$(PYTHON)') '$(CURDIR)/$(BUILD)/$*/usr' '$(ONLY)'

## random: run COUNT=300 random experiments from number SEED=1 on under clang's sanitizers, each in
##     several ways that must agree
## random-mpi: the same with several processes, compared with one
COUNT ?= 300
SEED ?= 1
JOBS ?= $(PROCESSORS)
SANITIZED = $(MAKE) --no-print-directory CC=clang BUILD=build-asan-clang OPT=-O1 SANITIZE=address,undefined
RANDOM = tests/random/run --program build-asan-clang/tributary --count $(COUNT) --seed $(SEED) --jobs $(JOBS)
random:
	@.ci/install build extras gates random
	@+$(SANITIZED) build-asan-clang/tributary
	@$(RANDOM)

random-mpi:
	@.ci/install build extras gates random mpi
	@+$(SANITIZED) build-asan-clang/tributary build-asan-clang/tributary-mpi
	@$(RANDOM) --mpi build-asan-clang/tributary-mpi

## survival: stop, kill, starve and cut the power of a small experiment at its file operations, and
##     resume it (20 minutes; QUICK=1: one)
survival: $(BUILD)/tests/survival/program
	@OMP_WAIT_POLICY=passive tests/survival/all $< $(if $(QUICK),quick)
	@tests/survival/library $< $(if $(QUICK),quick)

## stops: stop a run of 220 texts at COUNT random moments (50: 15 minutes), check that it ends
##     within two seconds, and resume it
stops: $(BUILD)/tributary
	@tests/stops $< $(if $(filter command,$(firstword $(origin COUNT))),$(COUNT),50)

## hostile: run directories with pipes, links and devices, and COUNT=2000 changes of their files,
##     read by every command under clang's sanitizers; SEED=1 gives the same changes again
hostile:
	@.ci/install build extras gates
	@+$(SANITIZED) build-asan-clang/tests/survival/program
	@tests/hostile build-asan-clang/tests/survival/program \
	    $(if $(filter command,$(firstword $(origin COUNT))),$(COUNT),2000) $(SEED)

# The program with a layer of faults, which the linker inserts under its file operations.
WRAPPED := write read pread fsync clock_gettime \
    $(addprefix trib_disk_,open create rename make_folder remove remove_folder)
$(BUILD)/tests/survival/program: $(SURVIVALS:%.c=$(BUILD)/%.o) $(OBJECTS) $(BUILD)/linked
	$(call said,link $@)
	$(LINK) $(WRAPPED:%=-Wl,--wrap=%)

## check-documents: run the commands of the pages in docs and compare the pages with the program
check-documents:
	@.ci/install build random
	$(AGAIN) $(BUILD)/tributary $(BUILD)/tests/rehearsal/run
	@tests/documents $(BUILD)/tributary

## check-build: test the build, the installation and .ci/install, in a folder with spaces
check-build:
	@tests/build

## bench: time the kernels on the King James Bible and a dictionary when they are installed, else on
##     random words; ONLY=counting
bench: $(BUILD)/tests/bench/run
	@tests/bench/texts $(<D)
	@$< $(if $(ONLY),ONLY=$(ONLY)) $(foreach t,kjv matt gcide,$(<D)/$t.txt)

## bench-whole: time whole runs, also of an older build: BEFORE=path ONLY='plays books' RUNS=3
##     (docs/measured.md)
bench-whole: $(BUILD)/tributary
	@ONLY='$(ONLY)' tests/bench/whole $< $(BEFORE)

# The hash tables of C++ are measured too when there is a C++ compiler, and absl's when it is
# installed.
BENCH_CXX := $(if $(shell command -v $(CXX) 2>/dev/null),-DBENCH_CXX)
BENCH_ABSL := $(if $(BENCH_CXX),$(shell pkg-config --exists absl_flat_hash_map 2>/dev/null && echo -DBENCH_ABSL))
BENCH_LIBS := $(if $(BENCH_CXX),-lstdc++) $(if $(BENCH_ABSL),$(shell pkg-config --libs absl_flat_hash_map 2>/dev/null))
$(BENCH_OBJECTS): COMPILE_FLAGS += $(BENCH_CXX) $(BENCH_ABSL)

$(BUILD)/%.o: %.cc $(BUILD)/compiled
	@mkdir -p $(@D)
	$(call said,compile $<)
	$(Q)$(CXX) -std=c++17 $(OPT) -I. $(BENCH_ABSL) $(SANITIZER) -c -o $@ $<

$(BUILD)/tests/bench/run: $(BENCH_OBJECTS) $(OBJECTS) $(if $(BENCH_CXX),$(BUILD)/tests/bench/tables_cxx.o) $(BUILD)/linked
	$(call said,link $@)
	$(LINK) $(BENCH_LIBS)

## experiments: print the measurements of publications beside ours; ONLY=hash or ONLY=charles;
##     QUICK=1: a short form; FROSTT=folder: real tensors; TO=docs/experiments writes the tables
##     (15 minutes)
experiments: $(BUILD)/tests/experiments/run
	@tests/bench/texts $(<D)
	@set -o pipefail; OMP_WAIT_POLICY=passive $< $(if $(ONLY),ONLY=$(ONLY)) $(if $(QUICK),QUICK=1) $(if $(FROSTT),FROSTT='$(FROSTT)') \
	    $(foreach t,kjv matt gcide,$(<D)/$t.txt) $(if $(TO),| tests/experiments/write '$(TO)')

$(BUILD)/tests/experiments/run: $(EXPERIMENT_OBJECTS) $(OBJECTS) $(BUILD)/linked
	$(call said,link $@)
	$(LINK)

## check-sanitized: run the tests under clang's address and undefined-behaviour sanitizers
## check-threads: run the tests under clang's thread sanitizer; QUICK=1: those of code that has
##     threads, and whole runs by the library
THREADED := base tensor formats tokenizer decomp factors influence passages planting candidates comm \
	text/byte_source text/input text/jsonl text/spool text/strip text/table store stages run library
check-sanitized:
	@.ci/install build extras gates test
	@+UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	    LSAN_OPTIONS=suppressions='$(CURDIR)/.ci/lsan.txt':print_suppressions=0 \
	    $(SANITIZED) run-tests

check-threads:
	@.ci/install build extras gates test
	@+OMP_TOOL_LIBRARIES="$$(ls /usr/lib/llvm-*/lib/libarcher.so 2>/dev/null | tail -n 1)" \
	    TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1 \
	    $(MAKE) --no-print-directory CC=clang BUILD=build-tsan OPT=-O1 SANITIZE=thread \
	    run-tests ONLY='$(if $(ONLY),$(ONLY),$(if $(QUICK),$(THREADED)))'

## fuzz: give broken input to every reader of files, SECONDS=60 each (clang); ONLY=tns for one of
##     tests/fuzz/targets.def; JOBS=1: one after the other instead of one per processor; QUICK=1:
##     with the build of check-sanitized, which does not guide the fuzzer
SECONDS ?= 60
FUZZED := $(if $(ONLY),$(ONLY),$(shell sed -n 's/^TARGET(\(.*\))/\1/p' tests/fuzz/targets.def 2>/dev/null))
FUZZ_BUILD := $(if $(QUICK),build-asan-clang,build-fuzz)
fuzz:
	@.ci/install build extras gates
	@+$(if $(QUICK),$(SANITIZED),$(MAKE) --no-print-directory CC=clang BUILD=build-fuzz OPT=-O1 \
	    SANITIZE=fuzzer-no-link,address,undefined) $(FUZZED:%=$(FUZZ_BUILD)/fuzz/%)
	@printf '%s\n' $(FUZZED) | xargs -P $(JOBS) -I NAME tests/fuzz/run $(FUZZ_BUILD) NAME $(SECONDS)

$(BUILD)/fuzz/%: $(BUILD)/fuzz/%.o $(OBJECTS) $(BUILD)/linked
	$(call said,link $@)
	$(LINK) -fsanitize=fuzzer

$(BUILD)/fuzz/%.o: tests/fuzz/%.c $(BUILD)/compiled | libraries
	@mkdir -p $(@D)
	$(Q)$(CC) $(COMPILE_FLAGS) -DTRIB_FUZZ -fsanitize=fuzzer-no-link -c -o $@ $<

## validate: measure every method on corpora with known shares; writes docs/validation.md (20
##     minutes); ONLY=run5-kjv writes elsewhere
validate:
	@.ci/install build validate
	$(AGAIN) run-validation

run-validation: $(BUILD)/tests/validate/run
	@tests/validate/all $< '$(ONLY)'

$(BUILD)/tests/validate/run: $(VALIDATE_OBJECTS) $(OBJECTS) $(BUILD)/linked
	$(call said,link $@)
	$(LINK)

## rehearsal: write BOOKS=1000 invented books with planted borrowings, BYTES=100000 each on average
##     (log-normal, SIGMA=0.9; 0: all of one size), in the layout of a mirror of Project Gutenberg,
##     to build/rehearsal (TO=)
BOOKS ?= 1000
BYTES ?= 100000
SIGMA ?= 0.9
rehearsal:
	@.ci/install build validate
	$(AGAIN) $(BUILD)/tests/rehearsal/run
	@tests/rehearsal/make $(BUILD)/tests/rehearsal/run '$(or $(TO),$(BUILD)/rehearsal)' '$(BOOKS)' '$(BYTES)' '$(SIGMA)' '$(SEED)'

$(BUILD)/tests/rehearsal/run: $(REHEARSAL_OBJECTS) $(OBJECTS) $(BUILD)/linked
	$(call said,link $@)
	$(LINK)

## docs: write docs/configuration.md with its parts, packaging/man/tributary.1 and the types of
##     settings in Python from the tables of keys and commands
FROM_KEYS = awk -v pages=pipeline/config/pages -v section=$* -f base/table.awk \
	-f pipeline/config/pages/pages.awk pipeline/config/keys.txt $(BUILD)/keys.json
docs: $(patsubst %,docs/configuration/%.page,$(shell sed -n 's/^\[\([a-z][a-z]*\)\].*/\1/p' pipeline/config/keys.txt)) \
	docs/configuration.page packaging/man/tributary.page bindings/python/settings.page
docs/configuration.page: $(BUILD)/keys.json
	$(FROM_KEYS) >docs/configuration.md
docs/configuration/%.page: $(BUILD)/keys.json
	@mkdir -p docs/configuration
	$(FROM_KEYS) >docs/configuration/$*.md
bindings/python/settings.page:
	awk -f base/table.awk -f bindings/python/settings.awk pipeline/config/keys.txt \
	    >bindings/python/tributary/_settings.py
packaging/man/tributary.page: $(BUILD)/keys.json
	./tributary help exit --json >$(BUILD)/exit.json
	awk -v version=$(VERSION) -v mirror="$$(sed -n 's/.*_MIRROR "\(.*\)"/\1/p' pipeline/program/fetch.h)" \
	    -f base/table.awk -f packaging/man/page.awk pipeline/program/commands.txt $(BUILD)/keys.json \
	    $(BUILD)/exit.json >packaging/man/tributary.1
$(BUILD)/keys.json: tributary
	./tributary help keys --json >$@

## api: write the API reference of the library to build/api/html (Doxygen; a warning is an error)
api:
	@.ci/install api
	@mkdir -p $(BUILD)/api
	@{ cat packaging/doxygen/Doxyfile; \
	    printf '%s\n' 'INPUT = $(HEADERS)' 'OUTPUT_DIRECTORY = $(BUILD)/api' 'PROJECT_NUMBER = $(VERSION)'; } | doxygen -
	@echo $(BUILD)/api/html/index.html

MANUAL := man/man1/tributary.1
# Debian's place of Python packages, below any prefix.
PACKAGE := lib/python3/dist-packages/tributary
PACKAGE_FILES := $(wildcard bindings/python/tributary/*.py) bindings/python/tributary/py.typed
# The entry of the application in the menus of desktops, and its icon.
DESKTOP := applications/tributary.desktop icons/hicolor/scalable/apps/tributary.svg
COMPLETIONS := bash-completion/completions/tributary zsh/site-functions/_tributary fish/vendor_completions.d/tributary.fish

# The places of installed files. MADE lists the folders that the installation created, the innermost
# first, for uninstall.
PLACES := bin lib lib/pkgconfig share/tributary $(addprefix share/,$(patsubst %/,%,$(dir $(MANUAL) $(COMPLETIONS) $(DESKTOP)))) \
	include/tributary $(PACKAGE)
MADE := share/tributary/folders
install uninstall: export TO = $(DESTDIR)$(PREFIX)
install uninstall: export ROOT = $(DESTDIR)

## install: tributary, its manual page and completions, the library, its headers and tributary.pc,
##     and the Python package, under PREFIX (default /usr/local), below DESTDIR
install: $(BUILD)/tributary $(BUILD)/libtributary.a $(BUILD)/$(SONAME) $(BUILD)/tributary.pc
	@set -e; made=; [ -z "$$ROOT" -o -d "$$ROOT" ] || { mkdir -p "$$ROOT"; made=/; }; \
	make_folder() { [ -d "$$ROOT$$1" ] || { make_folder "$$(dirname "$$1")"; mkdir "$$ROOT$$1"; made="$$1"$$'\n'"$$made"; }; }; \
	for place in $(PLACES); do make_folder "$${TO#"$$ROOT"}/$$place"; done; \
	[ -z "$$made" ] || { printf '%s\n' "$$made"; cat "$$TO/$(MADE)" 2>/dev/null || true; } | sed '/^$$/d' >"$$TO/$(MADE).new"; \
	[ -z "$$made" ] || mv "$$TO/$(MADE).new" "$$TO/$(MADE)"
	install -m 755 $(BUILD)/tributary "$$TO/bin/"
	install -m 644 $(BUILD)/libtributary.a $(BUILD)/$(SONAME) "$$TO/lib/"
	ln -sf $(SONAME) "$$TO/lib/$(LIBRARY)"
	install -m 644 $(BUILD)/tributary.pc "$$TO/lib/pkgconfig/"
	install -m 644 packaging/man/tributary.1 "$$TO/share/$(MANUAL)"
	for file in $(DESKTOP); do install -m 644 packaging/app/"$${file##*/}" "$$TO/share/$$file"; done
	for file in $(COMPLETIONS); do case $$file in bash*) $< completion bash ;; zsh*) $< completion zsh ;; *) $< completion fish ;; esac \
	    >"$$TO/share/$$file"; done
	install -m 644 $(PACKAGE_FILES) "$$TO/$(PACKAGE)/"
	for header in $(HEADERS); do sed 's|^#include ".*/|#include "|' $$header >"$$TO/include/tributary/$${header##*/}"; done
	@[ -n "$$ROOT$(APPLE)" ] || { PATH=$$PATH:/sbin:/usr/sbin; [ "$$(id -u)" -ne 0 ] || ldconfig; \
	    ldconfig -p | grep -qF "=> $$TO/lib/$(SONAME)" || \
	    printf '%s\n' "The loader does not look for libraries in $$TO/lib. Add it to /etc/ld.so.conf.d and run ldconfig, or" \
	        "link with -Wl,-rpath,$$TO/lib, or set LD_LIBRARY_PATH. PKG_CONFIG_PATH=$$TO/lib/pkgconfig finds tributary.pc."; }

# A static link needs the libraries that our objects use directly, not those that these libraries
# use.
$(BUILD)/tributary.pc: always
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix='$(call QUOTED,$(subst $(SPACE),\ ,$(PREFIX))) 'libdir=$${prefix}/lib' \
	    'includedir=$${prefix}/include' '' \
	    'Name: tributary' 'Description: which earlier texts flow into this one' 'Version: $(VERSION)' \
	    'Libs: -L$${libdir} -ltributary' 'Libs.private: $(PKG_LIBS) $(OPENMP_LINKED) -lm' 'Cflags: -I$${includedir}' >$@

## uninstall: remove the installed files, and the folders that install created
uninstall:
	for file in $(MANUAL) $(COMPLETIONS) $(DESKTOP); do rm -f "$$TO/share/$$file"; done
	rm -f "$$TO/bin/tributary" "$$TO/lib/pkgconfig/tributary.pc"
	rm -f "$$TO/lib/libtributary.a" "$$TO/lib/$(SONAME)" "$$TO/lib/$(LIBRARY)"
	rm -rf "$$TO/include/tributary" "$$TO/$(PACKAGE)"
	@made=$$(cat "$$TO/$(MADE)" 2>/dev/null); rm -f "$$TO/$(MADE)"; \
	while IFS= read -r folder; do [ -z "$$folder" ] || rmdir "$$ROOT$$folder" 2>/dev/null || true; done <<<"$$made"

# Needs the libraries that are loaded when they are first needed, for tools that list what a program
# needs (ldd, dpkg-shlibdeps).
$(BUILD)/loaded.so: $(BUILD)/linked
	$(Q)$(CC) -o $@ $(LOADED)

$(BUILD)/libtributary.a: $(OBJECTS)
	$(call said,archive $@)
	$(Q)rm -f $@ && ar qcs $@ $^

# macOS names the symbols in a list of its own, with an underscore before each.
$(BUILD)/exports.list: pipeline/library/exports.map
	$(Q)sed -n 's/^ *global: *//p' $< | tr -d ' ' | tr ';' '\n' | sed -n 's/^./_&/p' >$@

SHARED := $(if $(APPLE),-dynamiclib -Wl$(COMMA)-install_name$(COMMA)'$(PREFIX)/lib/$(SONAME)' -Wl$(COMMA)-exported_symbols_list$(COMMA)$(BUILD)/exports.list, \
	-shared -Wl$(COMMA)-soname$(COMMA)$(SONAME) -Wl$(COMMA)--version-script=pipeline/library/exports.map)
$(BUILD)/$(SONAME): $(OBJECTS) $(if $(APPLE),$(BUILD)/exports.list,pipeline/library/exports.map) $(BUILD)/linked
	$(call said,link $@)
	$(Q)$(CC) $(LINK_FLAGS) $(SHARED) -o $@ $(filter %.o,$^) $(LIBS)

## dist: write the sources of the last commit to build/dist/tributary-VERSION.tar.xz, with
##     SHA256SUMS (docs/releasing.md)
dist:
	@packaging/dist '$(VERSION)' '$(BUILD)/dist'

## release: make dist, with a list of the libraries of the program (SPDX), and sign both
##     (docs/releasing.md)
release: $(BUILD)/tributary $(BUILD)/loaded.so
	@packaging/release '$(VERSION)' '$(BUILD)/dist' $^

## deb: build the Debian packages into build/deb (docs/releasing.md)
deb:
	@.ci/install build extras deb
	@packaging/deb '$(VERSION)' '$(BUILD)/deb'

## portable: pack the program with its libraries into build/portable/tributary-VERSION-*.tar.xz,
##     which runs without installation (docs/releasing.md)
portable: $(BUILD)/portable/tributary $(BUILD)/loaded.so
	@packaging/portable '$(VERSION)' '$(BUILD)/portable' $^

# With these flags the loader looks there for the libraries of the libraries, too, and first.
$(BUILD)/portable/tributary: $(BUILD)/pipeline/program/main.o $(OBJECTS) $(BUILD)/linked
	@mkdir -p $(@D)
	$(call said,link $@)
	$(LINK) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'

$(BUILD)/portable/$(SONAME): $(OBJECTS) pipeline/library/exports.map $(BUILD)/linked
	@mkdir -p $(@D)
	$(call said,link $@)
	$(Q)$(CC) $(LINK_FLAGS) $(SHARED) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -o $@ $(filter %.o,$^) $(LIBS)

## wheel: write build/wheel/tributary-VERSION-*.whl, the Python package with the program and its
##     libraries inside, for pip (docs/releasing.md)
wheel: portable $(BUILD)/portable/$(SONAME)
	@mkdir -p $(BUILD)/wheel
	@packaging/wheel '$(VERSION)' $(BUILD)/portable/tributary-$(VERSION)-$$(uname -m)-linux $(BUILD)/wheel \
	    $(BUILD)/portable/tributary $(BUILD)/portable/$(SONAME)

## r: write build/r-package/tributary_VERSION.tar.gz, the R package with the sources of the program,
##     which R CMD INSTALL compiles (docs/releasing.md)
r: $(BUILD)/tributary
	@packaging/r '$(VERSION)' '$(BUILD)/r-package' $<

## check-portable: make portable and wheel, and use them in bare systems of Debian 12 and 13 (needs
##     root and debootstrap)
check-portable: wheel
	@tests/unpacked $(BUILD)/portable $(BUILD)/wheel

## check-container: read packaging/Containerfile, and build its image where buildah is installed
##     (10 minutes; docs/releasing.md)
check-container:
	@tests/container

## check-packages: build the packages, install them in a bare Debian, use them and remove them
##     (needs root and debootstrap)
check-packages:
	@.ci/install build extras deb bare || true
	@tests/packages

## format: format the sources by .clang-format
format:
	clang-format -i $(OURS)

check-format:
	clang-format --dry-run -Werror $(OURS)

## clean: remove everything built
clean:
	rm -rf $(BUILD) tributary tributary-mpi

## help: this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

.PHONY: all always libraries deps mpi check-mpi check-machines demo check check-browser \
	check-sanitized check-threads check-python run-python-tests check-r run-r-tests check-build \
	check-container check-documents check-packages check-portable dist deb portable wheel r run-tests bench \
	bench-whole \
	experiments validate run-validation rehearsal random \
	random-mpi survival hostile stops fuzz docs api install uninstall format check-format clean help
-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BENCH_OBJECTS:.o=.d) $(EXPERIMENT_OBJECTS:.o=.d) $(VALIDATE_OBJECTS:.o=.d) $(REHEARSAL_OBJECTS:.o=.d) $(SURVIVALS:%.c=$(BUILD)/%.d) $(FEW_WORDS:%.c=$(BUILD)/%.d) $(BUILD)/pipeline/program/main.d
