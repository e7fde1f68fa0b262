## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/diagram/adjust.c \
	src/diagram/drawing.c \
	src/diagram/drawing.h \
	src/diagram/face.c \
	src/diagram/face.h \
	src/diagram/face_text.c \
	src/diagram/finish.c \
	src/diagram/fold.c \
	src/diagram/gather.c \
	src/diagram/gather.h \
	src/diagram/gather_names.c \
	src/diagram/gather_pins.c \
	src/diagram/highlight.c \
	src/diagram/ink.c \
	src/diagram/ink.h \
	src/diagram/orient.c \
	src/diagram/place.c \
	src/diagram/room.h \
	src/diagram/route.c \
	src/diagram/route.h \
	src/diagram/search.c \
	src/diagram/stroke.c \
	src/diagram/svg.c \
	src/diagram/symbol.c \
	src/diagram/symbol.h \
	src/diagram/symbol_table.h \
	src/diagram/symbols_block.c \
	src/diagram/symbols_physical.c \
	src/diagram/tikz.c
