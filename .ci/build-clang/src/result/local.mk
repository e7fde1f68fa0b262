## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/result/csv.c \
	src/result/document.c \
	src/result/document.h \
	src/result/file.c \
	src/result/file.h \
	src/result/formats.c \
	src/result/formats.h \
	src/result/hdf5.c \
	src/result/hdf5.h \
	src/result/matfile.c \
	src/result/matfile.h \
	src/result/memory.c \
	src/result/nowhere.c \
	src/result/raw.c \
	src/result/read.c \
	src/result/read.h \
	src/result/sink.h \
	src/result/trajectory.c \
	src/result/trajectory.h
