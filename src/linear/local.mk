## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/linear/arnoldi.c \
	src/linear/assignment.c \
	src/linear/assignment.h \
	src/linear/backend.h \
	src/linear/blas.c \
	src/linear/convergence.c \
	src/linear/convergence.h \
	src/linear/dense.c \
	src/linear/dense_complex.c \
	src/linear/eigen.c \
	src/linear/eigen.h \
	src/linear/exponential.c \
	src/linear/factors.h \
	src/linear/lapack.h \
	src/linear/linear.c \
	src/linear/linear.h \
	src/linear/null.c \
	src/linear/pivots.c \
	src/linear/reduce.c \
	src/linear/reduce.h \
	src/linear/reduce_pivots.c \
	src/linear/reduce_proper.c \
	src/linear/reduce_step.c \
	src/linear/reducing.h \
	src/linear/replay.c \
	src/linear/replay.h \
	src/linear/sparse.c \
	src/linear/sparse_complex.c \
	src/linear/spectrum.c \
	src/linear/spectrum.h \
	src/linear/spectrum_precise.c \
	src/linear/stream.c \
	src/linear/stream.h \
	src/linear/twisted_order.c \
	src/linear/twisted_order.h \
	src/linear/wide.h
