## sized types of the signal world
liblinnet_la_SOURCES += src/blocks/signal/logic.c src/blocks/signal/polynomial.c \
	src/blocks/signal/interpolate.c src/blocks/signal/interpolate.h \
	src/blocks/signal/table_data.c src/blocks/signal/table_data.h src/blocks/signal/lookup.c \
	src/blocks/signal/filter.c src/blocks/signal/bessel.c src/blocks/signal/bessel.h src/blocks/signal/pade.c \
	src/blocks/signal/core_table.c src/blocks/signal/windings.c src/blocks/signal/curve.h
