## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/base/archive.c \
	src/base/archive.h \
	src/base/arena.c \
	src/base/arena.h \
	src/base/bytes.c \
	src/base/bytes.h \
	src/base/csv.h \
	src/base/csv_read.c \
	src/base/domain.c \
	src/base/domain.h \
	src/base/foreign.c \
	src/base/foreign.h \
	src/base/forest.h \
	src/base/input.c \
	src/base/input.h \
	src/base/library.c \
	src/base/library.h \
	src/base/number.c \
	src/base/part.c \
	src/base/part.h \
	src/base/process.c \
	src/base/process.h \
	src/base/raw_read.c \
	src/base/raw_read.h \
	src/base/report.c \
	src/base/report.h \
	src/base/side.h \
	src/base/status.c \
	src/base/sys.c \
	src/base/sys.h \
	src/base/text.c \
	src/base/text.h \
	src/base/visible.c \
	src/base/visible.h \
	src/base/words.c \
	src/base/words.h
