## linear: one interface over LAPACKE and KLU
liblinnet_la_SOURCES += \
	src/linear/backend.h \
	src/linear/dense_complex.c \
	src/linear/sparse_complex.c \
	src/linear/dense.c \
	src/linear/factors.h \
	src/linear/linear.c src/linear/linear.h \
	src/linear/null.c \
	src/linear/pivots.c \
	src/linear/sparse.c \
	src/linear/stream.c src/linear/stream.h \
	src/linear/twist.c src/linear/twist.h
