# tributary - `make help` lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
ifeq ($(origin CC),default)
CC := gcc
endif

BUILD ?= build
OPT ?= -O3
SANITIZE ?=
WERROR ?=
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^\#define TRIB_VERSION "\(.*\)"/\1/p' pipeline/pipeline.h)
SONAME := libtributary.so.$(firstword $(subst ., ,$(VERSION)))

FOLDERS := base tensor tokenizer decomp influence pipeline
PACKAGES := icu-uc icu-i18n yaml-0.1 openblas jansson libmd
MISSING := $(shell for p in $(PACKAGES); do pkg-config --exists $$p 2>/dev/null || echo $$p; done)
# What is built in when it is found: a source that includes such a library asks for TRIB_WITH_ZLIB and so on.
EXTRAS := $(foreach p,zlib libzstd libarchive libcurl libxml-2.0,$(shell pkg-config --exists $p 2>/dev/null && echo $p))
WITH_zlib := ZLIB
WITH_libzstd := ZSTD
WITH_libarchive := ARCHIVE
WITH_libcurl := CURL
WITH_libxml-2.0 := XML
PKG_CFLAGS := $(if $(MISSING),,$(shell pkg-config --cflags $(PACKAGES) $(EXTRAS)) $(foreach p,$(EXTRAS),-DTRIB_WITH_$(WITH_$p)))
PKG_LIBS := $(if $(MISSING),,$(shell pkg-config --libs $(PACKAGES) $(EXTRAS)))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	$(if $(findstring clang,$(CC)),-Wno-pass-failed)
# Where the variables of an optimised kernel are takes gcc a third of its time to write down.
TRACKING := $(if $(findstring clang,$(CC)),,-fno-var-tracking)
SANITIZER := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
override CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 -g $(TRACKING) $(OPT) -fopenmp -ffp-contract=fast -fPIC $(WARNINGS) $(WERROR) \
	-MMD -MP -I. $(PKG_CFLAGS) $(SANITIZER) $(if $(SANITIZE),-DTRIB_PORTABLE) $(CFLAGS)
override LDFLAGS := -fopenmp -Wl,--as-needed $(SANITIZER) $(LDFLAGS)
LIBS := $(PKG_LIBS) -lm
Q := $(if $(V),,@)
AGAIN = @+$(MAKE) --no-print-directory
said = $(if $(V),,@echo '  $1')

SOURCES := $(filter-out pipeline/main.c pipeline/team_mpi.c,$(foreach f,$(FOLDERS),$(wildcard $f/*.c)))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/pipeline/small_corpus.o
HEADERS := $(foreach f,$(FOLDERS),$f/$f.h)
BENCHES := $(wildcard tests/bench/*.c)
BENCH_OBJECTS := $(BENCHES:%.c=$(BUILD)/%.o)
VALIDATES := $(wildcard tests/validate/*.c)
VALIDATE_OBJECTS := $(VALIDATES:%.c=$(BUILD)/%.o)
EXPERIMENTS := $(wildcard tests/experiments/*.c)
EXPERIMENT_OBJECTS := $(EXPERIMENTS:%.c=$(BUILD)/%.o) $(BUILD)/tests/bench/texts.o $(BUILD)/tests/bench/synthetic.o
SURVIVALS := $(wildcard tests/survival/*.c)
TESTS := $(filter-out $(BENCHES) $(EXPERIMENTS) $(VALIDATES) $(SURVIVALS),$(wildcard tests/*.c tests/*/*.c))
TEST_OBJECTS := $(TESTS:%.c=$(BUILD)/%.o)
OURS := $(foreach f,$(FOLDERS),$(wildcard $f/*.[ch])) $(TESTS) $(BENCHES) $(EXPERIMENTS) $(VALIDATES) $(SURVIVALS) $(wildcard tests/*.h tests/*/*.h tests/bench/*.cc)

## all: build ./tributary (the default); installs nothing
all: tributary

tributary: $(BUILD)/tributary
	@cp $< $@

$(BUILD)/tributary: $(BUILD)/pipeline/main.o $(OBJECTS)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.o: %.c $(BUILD)/extras | libraries
	@mkdir -p $(@D)
	$(call said,compile $<)
	$(Q)$(CC) $(CFLAGS) -c -o $@ $<

# Changes when a library is found that was not there before, and everything is compiled again.
$(BUILD)/extras: always
	@mkdir -p $(@D)
	@echo '$(EXTRAS)' | cmp -s - $@ || echo '$(EXTRAS)' >$@

# What `tributary init` writes travels inside the program.
SMALL := $(sort $(patsubst corpora/carrow-bay/%,%,$(wildcard corpora/carrow-bay/*.yaml corpora/carrow-bay/texts/*.txt)))
$(BUILD)/pipeline/small_corpus.c: pipeline/embed $(SMALL:%=corpora/carrow-bay/%)
	@mkdir -p $(@D)
	$(Q)$< corpora/carrow-bay $(SMALL) >$@

$(BUILD)/pipeline/small_corpus.o: $(BUILD)/pipeline/small_corpus.c | libraries
	$(Q)$(CC) $(CFLAGS) -c -o $@ $<

# Names what is missing instead of failing in the middle of a compilation.
libraries:
	@test -z '$(MISSING)' || { echo 'missing: $(MISSING) (as pkg-config calls them); `make deps` installs them, or:'; \
	    .ci/install --names build; exit 1; } >&2

## deps: install what the build needs (asks the package manager only for what is absent)
deps:
	@.ci/install build extras

# The same program for a team of several processes: one object is another one.
MPI := $(shell for p in ompi-c mpich; do pkg-config --exists $$p 2>/dev/null && echo $$p && break; done)
$(BUILD)/pipeline/team_mpi.o: override CFLAGS += $(if $(MPI),$(shell pkg-config --cflags $(MPI)))
$(BUILD)/tributary-mpi: $(BUILD)/pipeline/main.o $(BUILD)/pipeline/team_mpi.o $(filter-out $(BUILD)/pipeline/team_alone.o,$(OBJECTS))
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) $(shell pkg-config --libs $(MPI))

## mpi: build ./tributary-mpi, for several machines: mpirun -n 4 ./tributary-mpi run CONFIG
mpi:
	@.ci/install build extras mpi
	$(AGAIN) tributary-mpi

tributary-mpi: $(BUILD)/tributary-mpi
	@cp $< $@

## check-mpi: run experiments by 1, 2, 3 and 5 processes and compare every byte with the program alone
check-mpi:
	@.ci/install build extras mpi
	$(AGAIN) $(BUILD)/tributary $(BUILD)/tributary-mpi
	@TRIBUTARY=$(BUILD)/tributary TRIBUTARY_MPI=$(BUILD)/tributary-mpi tests/mpi

## demo: install what is missing, build, write the texts, run an experiment on them, show what flows into what
demo:
	@.ci/install build extras
	$(AGAIN) tributary
	@corpora/demo

## check: install what the tests need, build, run every test
check:
	@.ci/install build extras test
	$(AGAIN) run-tests

# What a second make must do, since the first looked for the libraries before they were installed. More threads than
# processors must not spin while they wait.
run-tests: $(BUILD)/tests/run $(BUILD)/tributary $(BUILD)/tests/survival/program
	@OMP_WAIT_POLICY=passive TRIBUTARY=$(BUILD)/tributary $(BUILD)/tests/run $(ONLY)

$(BUILD)/tests/run: $(TEST_OBJECTS) $(OBJECTS)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lcunit

## survival: stop, kill, starve and cut the power of a small experiment at its file operations, and resume it (about twenty minutes)
survival: $(BUILD)/tests/survival/program
	@OMP_WAIT_POLICY=passive tests/survival/all $<

# The program over a layer of faults, which the linker puts under its file operations.
WRAPPED := open mkstemp write read pread fsync rename mkdir unlink rmdir clock_gettime
$(BUILD)/tests/survival/program: $(SURVIVALS:%.c=$(BUILD)/%.o) $(OBJECTS)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) $(WRAPPED:%=-Wl,--wrap=%) -o $@ $^ $(LIBS)

## bench: time the kernels on the King James Bible and a dictionary where they are installed, else on words drawn at random; ONLY=counting
bench: $(BUILD)/tests/bench/run
	@tests/bench/texts $(<D)
	@$< $(if $(ONLY),ONLY=$(ONLY)) $(foreach t,kjv matt gcide,$(<D)/$t.txt)

# The hash tables of C++ take part where there is a C++ compiler, absl's where it is installed.
BENCH_CXX := $(if $(shell command -v $(CXX) 2>/dev/null),-DBENCH_CXX)
BENCH_ABSL := $(if $(BENCH_CXX),$(shell pkg-config --exists absl_flat_hash_map 2>/dev/null && echo -DBENCH_ABSL))
BENCH_LIBS := $(if $(BENCH_CXX),-lstdc++) $(if $(BENCH_ABSL),$(shell pkg-config --libs absl_flat_hash_map 2>/dev/null))
$(BENCH_OBJECTS): override CFLAGS += $(BENCH_CXX) $(BENCH_ABSL)

$(BUILD)/%.o: %.cc
	@mkdir -p $(@D)
	$(call said,compile $<)
	$(Q)$(CXX) -std=c++17 $(OPT) -I. $(BENCH_ABSL) $(SANITIZER) -c -o $@ $<

$(BUILD)/tests/bench/run: $(BENCH_OBJECTS) $(OBJECTS) $(if $(BENCH_CXX),$(BUILD)/tests/bench/tables_cxx.o)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) $(BENCH_LIBS)

## experiments: print the tables of docs/experiments.md, what publications measured and we measure; ONLY=hash
experiments: $(BUILD)/tests/experiments/run
	@tests/bench/texts $(<D)
	@$< $(if $(ONLY),ONLY=$(ONLY)) $(foreach t,kjv matt gcide,$(<D)/$t.txt)

$(BUILD)/tests/experiments/run: $(EXPERIMENT_OBJECTS) $(OBJECTS)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

## fuzz: give broken input to what reads files, SECONDS=60 each (clang); ONLY=tns for one of tests/fuzz/targets.def
SECONDS ?= 60
FUZZED := $(if $(ONLY),$(ONLY),$(shell sed -n 's/^TARGET(\(.*\))/\1/p' tests/fuzz/targets.def))
fuzz:
	@.ci/install build extras gates
	@+$(MAKE) --no-print-directory CC=clang BUILD=build-fuzz OPT=-O1 SANITIZE=fuzzer-no-link,address,undefined \
	    CFLAGS=-DTRIB_FUZZ $(FUZZED:%=build-fuzz/fuzz/%)
	@for name in $(FUZZED); do echo "== fuzz $$name"; \
	    mkdir -p build-fuzz/corpus/$$name tests/fuzz/found/$$name && \
	    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 build-fuzz/fuzz/$$name -max_total_time=$(SECONDS) -max_len=4096 \
	        -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 -artifact_prefix=tests/fuzz/found/$$name/ \
	        build-fuzz/corpus/$$name tests/fuzz/seeds/$$name tests/fuzz/found/$$name </dev/null || exit 1; done

$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(OBJECTS)
	@mkdir -p $(@D)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

## validate: measure every method on corpora whose truth is known; writes docs/validation.md (about ten minutes)
validate:
	@.ci/install build validate
	$(AGAIN) run-validation

run-validation: $(BUILD)/tests/validate/run
	@tests/validate/all $<

$(BUILD)/tests/validate/run: $(VALIDATE_OBJECTS) $(OBJECTS)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

## docs: write docs/configuration.md from the table of keys
docs: tributary
	./tributary help keys --markdown >docs/configuration.md

MANUAL := man/man1/tributary.1
COMPLETIONS := bash-completion/completions/tributary zsh/site-functions/_tributary fish/vendor_completions.d/tributary.fish

## install: tributary, its manual page and completions, the library, its headers and tributary.pc under PREFIX (default /usr/local), below DESTDIR
install: $(BUILD)/tributary $(BUILD)/libtributary.a $(BUILD)/$(SONAME)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 755 $(BUILD)/tributary $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(BUILD)/libtributary.a $(BUILD)/$(SONAME) $(DESTDIR)$(PREFIX)/lib/
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,$(dir $(MANUAL) $(COMPLETIONS)))
	$< help --man >$(DESTDIR)$(PREFIX)/share/$(MANUAL)
	for file in $(COMPLETIONS); do case $$file in bash*) $< completion bash ;; zsh*) $< completion zsh ;; *) $< completion fish ;; esac \
	    >$(DESTDIR)$(PREFIX)/share/$$file; done
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libtributary.so
	for header in $(HEADERS); do install -D -m 644 $$header $(DESTDIR)$(PREFIX)/include/tributary/$$header; done
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include/tributary' '' \
	    'Name: tributary' 'Description: which earlier texts flow into this one' 'Version: $(VERSION)' \
	    'Requires.private: $(PACKAGES) $(EXTRAS)' 'Libs: -L$${libdir} -ltributary' 'Libs.private: -fopenmp -lm' \
	    'Cflags: -I$${includedir}' >$(DESTDIR)$(PREFIX)/lib/pkgconfig/tributary.pc

## uninstall: remove what install put there
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/,$(MANUAL) $(COMPLETIONS))
	rm -f $(DESTDIR)$(PREFIX)/bin/tributary $(DESTDIR)$(PREFIX)/lib/pkgconfig/tributary.pc
	rm -f $(DESTDIR)$(PREFIX)/lib/libtributary.a $(DESTDIR)$(PREFIX)/lib/$(SONAME) $(DESTDIR)$(PREFIX)/lib/libtributary.so
	rm -rf $(DESTDIR)$(PREFIX)/include/tributary

$(BUILD)/libtributary.a: $(OBJECTS)
	$(call said,archive $@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/$(SONAME): $(OBJECTS)
	$(call said,link $@)
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -o $@ $^ $(LIBS)

## format: rewrite the sources as .clang-format says
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

.PHONY: all always libraries deps mpi check-mpi demo check run-tests bench experiments validate run-validation survival fuzz docs install uninstall format check-format clean help
-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BENCH_OBJECTS:.o=.d) $(EXPERIMENT_OBJECTS:.o=.d) $(VALIDATE_OBJECTS:.o=.d) $(SURVIVALS:%.c=$(BUILD)/%.d) $(BUILD)/pipeline/main.d
