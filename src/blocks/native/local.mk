## block types written in C
liblinnet_la_SOURCES += src/blocks/native/native.c src/blocks/native/native.h src/blocks/native/delay.c src/blocks/native/diode.c \
	src/blocks/native/diode_equations.c src/blocks/native/diode_equations.h \
	src/blocks/native/device.c src/blocks/native/device.h src/blocks/native/junction_equations.c \
	src/blocks/native/junction_equations.h src/blocks/native/spice_diode.c \
	src/blocks/native/spice_diode_equations.c src/blocks/native/spice_diode_equations.h \
	src/blocks/native/bjt.c src/blocks/native/bjt_parameters.c src/blocks/native/bjt_parameters.h src/blocks/native/bjt_equations.c src/blocks/native/bjt_equations.h \
	src/blocks/native/mosfet.c src/blocks/native/mosfet_equations.c src/blocks/native/mosfet_equations.h src/blocks/native/dual.h \
	src/blocks/native/mosfet_charges.c src/blocks/native/mosfet_level2.c src/blocks/native/mosfet_level3.c src/blocks/native/mosfet_parameters.c \
	src/blocks/native/mosfet_parameters.h \
	src/blocks/native/jfet.c src/blocks/native/line.c src/blocks/native/rc_line.c
