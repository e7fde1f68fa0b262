## system: a network as numbers
liblinnet_la_SOURCES += \
	src/system/active.h \
	src/system/evaluate.c \
	src/system/matrix.c src/system/matrix.h \
	src/system/observe.c \
	src/system/ode.h \
	src/system/start_values.c \
	src/system/system.c src/system/system.h \
	src/system/transform.c src/system/transform.h
