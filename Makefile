# tributary - `make help` lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

BUILD ?= build
CC ?= gcc
OPT ?= -O3
SANITIZE ?=
WERROR ?=
PACKAGES := icu-uc icu-i18n yaml-0.1 openblas jansson libmd
FOLDERS := base tensor tokenizer decomp influence pipeline

PKG_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PKG_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
override CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 -g $(OPT) -fopenmp -ffp-contract=fast -fPIC \
	$(WARNINGS) $(WERROR) -MMD -MP -I. $(PKG_CFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -DTRIB_PORTABLE) $(CFLAGS)
override LDFLAGS := -fopenmp $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)
LIBS := $(PKG_LIBS) -lm

SOURCES := $(filter-out pipeline/main.c,$(foreach f,$(FOLDERS),$(wildcard $f/*.c)))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/pipeline/small_corpus.o
TESTS := $(wildcard tests/*.c tests/*/*.c)
TEST_OBJECTS := $(TESTS:%.c=$(BUILD)/%.o)

## all: build ./tributary (the default)
all: tributary

tributary: $(BUILD)/tributary
	@cp $< $@

$(BUILD)/tributary: $(BUILD)/pipeline/main.o $(OBJECTS)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

# What `tributary init` writes travels inside the program.
SMALL := $(sort $(patsubst corpora/carrow-bay/%,%,$(wildcard corpora/carrow-bay/*.yaml corpora/carrow-bay/texts/*.txt)))
$(BUILD)/pipeline/small_corpus.c: pipeline/embed $(SMALL:%=corpora/carrow-bay/%)
	@mkdir -p $(@D)
	$< corpora/carrow-bay $(SMALL) >$@

$(BUILD)/pipeline/small_corpus.o: $(BUILD)/pipeline/small_corpus.c
	$(CC) $(CFLAGS) -c -o $@ $<

## tests: build the test program, without running it
tests: $(BUILD)/tests/run
.PHONY: tests
$(BUILD)/tests/run: $(TEST_OBJECTS) $(OBJECTS)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lcunit

## check: install what the tests need, build, run every test
check: $(BUILD)/tests/run
	$(BUILD)/tests/run

## format: rewrite the sources as .clang-format says
format:
	clang-format -i $(foreach f,$(FOLDERS),$(wildcard $f/*.[ch])) $(TESTS) $(wildcard tests/*.h)

## clean: remove everything built
clean:
	rm -rf $(BUILD) tributary

## help: this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

.PHONY: all check format clean help
-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BUILD)/pipeline/main.d
