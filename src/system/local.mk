## made by src/sources.sh: run `make sources` when a file comes or goes
libcore_la_SOURCES += \
	src/system/active.h \
	src/system/delay.c \
	src/system/delay.h \
	src/system/delay_terms.c \
	src/system/diagram.c \
	src/system/diagram.h \
	src/system/diagram_loop.c \
	src/system/diagram_order.c \
	src/system/diagram_rows.c \
	src/system/evaluate.c \
	src/system/held.c \
	src/system/history.c \
	src/system/history.h \
	src/system/hybrid.c \
	src/system/hybrid.h \
	src/system/index.c \
	src/system/index.h \
	src/system/injection.c \
	src/system/linearise.c \
	src/system/linearise.h \
	src/system/loop.c \
	src/system/loop.h \
	src/system/matrix.c \
	src/system/matrix.h \
	src/system/observe.c \
	src/system/ode.h \
	src/system/shares.c \
	src/system/start_values.c \
	src/system/storage.c \
	src/system/storage.h \
	src/system/system.c \
	src/system/system.h \
	src/system/transform.c \
	src/system/transform.h
