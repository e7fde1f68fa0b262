## block types written in C
liblinnet_la_SOURCES += src/blocks/native/native.c src/blocks/native/native.h src/blocks/native/delay.c src/blocks/native/diode.c \
	src/blocks/native/diode_equations.c src/blocks/native/diode_equations.h
