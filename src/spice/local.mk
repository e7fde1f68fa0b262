# The room `spice`: SPICE decks to the tree of a model.
liblinnet_la_SOURCES += src/spice/spice.c src/spice/spice.h src/spice/deck.h src/spice/lines.c src/spice/words.c \
	src/spice/formula.c src/spice/value.c src/spice/print.c src/spice/scope.c src/spice/circuit.c src/spice/control.c \
	src/spice/expand.c src/spice/emit.c src/spice/passive.c src/spice/source.c src/spice/controlled.c src/spice/laplace.c src/spice/device.c \
	src/spice/model.c src/spice/switch.c src/spice/line.c \
	src/spice/record.c \
	src/spice/analysis.c src/spice/script.c src/spice/measure.c
