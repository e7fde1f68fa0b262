## linear: one interface over LAPACKE and KLU
liblinnet_la_SOURCES += \
	src/linear/backend.h \
	src/linear/dense.c \
	src/linear/linear.c src/linear/linear.h \
	src/linear/null.c \
	src/linear/sparse.c
