## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/plot/axis.c \
	src/plot/html.c \
	src/plot/html.h \
	src/plot/html_script.c \
	src/plot/html_script.h \
	src/plot/look.c \
	src/plot/notes.c \
	src/plot/plot.c \
	src/plot/plot.h \
	src/plot/script.c \
	src/plot/script.h \
	src/plot/thin.c
