## mpi: a module of its own, loaded only under mpirun
if HAVE_MPI
pkglib_LTLIBRARIES += linnet-mpi.la
linnet_mpi_la_SOURCES = src/mpi/mpi.c
linnet_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
linnet_mpi_la_LIBADD = $(MPI_LIBS)
linnet_mpi_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -export-symbols-regex '^linnet_mpi_open$$'
endif
