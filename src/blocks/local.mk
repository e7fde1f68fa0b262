## blocks
liblinnet_la_SOURCES += \
	src/blocks/builder.h \
	src/blocks/catalogue.c src/blocks/catalogue.h src/blocks/class_cache.c src/blocks/class_cache.h \
	src/blocks/class.c src/blocks/class_check.c src/blocks/compile.h \
	src/blocks/derivative.c \
	src/blocks/embedded.h \
	src/blocks/equations.c src/blocks/equations.h \
	src/blocks/enable.c src/blocks/enable.h src/blocks/class_transform.c src/blocks/class_transform.h \
	src/blocks/trigger.c src/blocks/trigger.h \
	src/blocks/fluxes.c src/blocks/linear.c src/blocks/match.c src/blocks/delays.c \
	src/blocks/read_type.c src/blocks/read_type.h \
	src/blocks/events.c src/blocks/hybrid.c src/blocks/modes.c src/blocks/type_event.c \
	src/blocks/rows.c src/blocks/runtime.c src/blocks/starts.c \
	src/blocks/type_array.c src/blocks/type_size.c src/blocks/type_names.c src/blocks/type_names.h src/blocks/type_parameter.c \
	src/blocks/type_reader.h \
	src/blocks/signal/arithmetic.c src/blocks/signal/complex_list.c src/blocks/signal/function.c \
	src/blocks/signal/integrator.c src/blocks/signal/matrix.c src/blocks/signal/vector.c \
	src/blocks/signal/pid.c src/blocks/signal/range.c src/blocks/signal/range.h \
	src/blocks/signal/piecewise.c src/blocks/signal/rational.c src/blocks/signal/sized.c src/blocks/signal/sized.h \
	src/blocks/signal/state_space.c src/blocks/signal/transfer_function.c src/blocks/signal/zero_pole_gain.c
include src/blocks/signal/local.mk
include src/blocks/discrete/local.mk
include src/blocks/native/local.mk
