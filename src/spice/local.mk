## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/spice/analysis.c \
	src/spice/card.h \
	src/spice/circuit.c \
	src/spice/control.c \
	src/spice/controlled.c \
	src/spice/coupled.c \
	src/spice/deck.h \
	src/spice/device.c \
	src/spice/device.h \
	src/spice/device_table.c \
	src/spice/emit.c \
	src/spice/expand.c \
	src/spice/formula.c \
	src/spice/function_words.c \
	src/spice/laplace.c \
	src/spice/line.c \
	src/spice/lines.c \
	src/spice/measure.c \
	src/spice/model.c \
	src/spice/passive.c \
	src/spice/print.c \
	src/spice/record.c \
	src/spice/schematic.c \
	src/spice/schematic.h \
	src/spice/scope.c \
	src/spice/script.c \
	src/spice/source.c \
	src/spice/spice.c \
	src/spice/spice.h \
	src/spice/state.h \
	src/spice/step.c \
	src/spice/switch.c \
	src/spice/value.c \
	src/spice/vdmos.c \
	src/spice/words.c
