## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/reading/open.c \
	src/reading/open.h
