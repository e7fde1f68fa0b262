## fuzz targets: as a test they replay their corpus; as clang's libFuzzer they search (make fuzz)
fuzz_sources = tests/fuzz/driver.c tests/fuzz/fuzz.h tests/fuzz/readers.c tests/fuzz/texts.c tests/fuzz/checkpoint.c \
	tests/fuzz/network.c tests/fuzz/generate.c tests/fuzz/generate.h tests/fuzz/mutate.c tests/fuzz/mutate.h
check_PROGRAMS += tests/fuzz/replay
tests_fuzz_replay_SOURCES = $(fuzz_sources)
tests_fuzz_replay_LDADD = libcore.la
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/fuzz.sh tests/fuzz/random.sh tests/fuzz/xml.dict tests/fuzz/deck.dict tests/fuzz/expression.dict

## the same with all sources of Linnet, each instrumented; by clang whatever the rest is built with
EXTRA_PROGRAMS += tests/fuzz/search
tests_fuzz_search_SOURCES = $(fuzz_sources) $(liblinnet_la_SOURCES)
nodist_tests_fuzz_search_SOURCES = src/blocks/embedded.c
tests_fuzz_search_CPPFLAGS = $(AM_CPPFLAGS) -UNDEBUG -DLINNET_LIBFUZZER
# watching every comparison of numbers took two thirds of the time of what solves; texts are watched nevertheless
tests_fuzz_search_CFLAGS = $(AM_CFLAGS) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-coverage=trace-cmp \
	-fno-sanitize-recover=undefined
tests_fuzz_search_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer,address,undefined
tests_fuzz_search_LDADD = $(LIBRARIES_USED)
FUZZ_CC = clang
HOURS = 1
TARGET =
.PHONY: fuzz fuzz-random
## without clang: a million inputs at random, chosen by SEED
fuzz-random: tests/fuzz/replay
	srcdir='$(abs_srcdir)' sh '$(srcdir)/tests/fuzz/random.sh' tests/fuzz/replay '$(SEED)'
fuzz:
	$(MAKE) $(AM_MAKEFLAGS) CC='$(FUZZ_CC)' CFLAGS= tests/fuzz/search
	srcdir='$(abs_srcdir)' sh '$(srcdir)/tests/fuzz/fuzz.sh' '$(abs_builddir)/tests/fuzz/search' '$(HOURS)' $(TARGET)

## long runs, changes of the core
FULL_TESTS += tests/soak.sh tests/mutants.py tests/threads.sh tests/memcheck.sh
dist_check_SCRIPTS += tests/memcheck.sh
EXTRA_DIST += tests/small tests/threads.sh tests/soak.sh tests/mutants.py tests/mutants.txt tests/coverage.sh tests/coverage.txt tests/random_models.py tests/random_physics.py tests/random_plants.py \
	tests/random_decks.py tests/random_code.py tests/deck_maker.py
