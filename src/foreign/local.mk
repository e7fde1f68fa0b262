## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/foreign/c_formula.c \
	src/foreign/diagram.c \
	src/foreign/diagram_end.c \
	src/foreign/document.c \
	src/foreign/document.h \
	src/foreign/draft.c \
	src/foreign/draft.h \
	src/foreign/fmi_description.c \
	src/foreign/fmi_description.h \
	src/foreign/fmi_model.c \
	src/foreign/fmi_model.h \
	src/foreign/foreign.h \
	src/foreign/obliq.c \
	src/foreign/obliq_blocks.c \
	src/foreign/sketch.c \
	src/foreign/sketch.h \
	src/foreign/vibesim.c \
	src/foreign/vibesim_blocks.c \
	src/foreign/vibesim_formula.c
