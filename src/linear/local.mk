## linear: one interface over LAPACKE and KLU
liblinnet_la_SOURCES += \
	src/linear/arnoldi.c \
	src/linear/backend.h \
	src/linear/reduce.c src/linear/reduce.h src/linear/reduce_pivots.c src/linear/reduce_step.c src/linear/reducing.h \
	src/linear/eigen.c src/linear/eigen.h src/linear/spectrum.c src/linear/spectrum.h src/linear/spectrum_precise.c src/linear/wide.h \
	src/linear/dense_complex.c \
	src/linear/sparse_complex.c \
	src/linear/dense.c \
	src/linear/exponential.c \
	src/linear/factors.h \
	src/linear/linear.c src/linear/linear.h \
	src/linear/null.c \
	src/linear/pivots.c \
	src/linear/sparse.c \
	src/linear/stream.c src/linear/stream.h \
	src/linear/twisted_order.c src/linear/twisted_order.h
