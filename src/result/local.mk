# The room `result`: where a trajectory goes, and tables read back.
liblinnet_la_SOURCES += src/result/csv.c src/result/document.c src/result/document.h \
	src/result/file.c src/result/file.h src/result/formats.c src/result/formats.h src/result/raw.c \
	src/result/memory.c src/result/nowhere.c src/result/sink.h \
	src/result/matfile.c src/result/matfile.h
