## sized types of the signal world
liblinnet_la_SOURCES += src/blocks/signal/logic.c src/blocks/signal/polynomial.c
