/* SPDX-License-Identifier: MIT */
/* The module linnet-mpi.so: messages by MPI, the only file that knows it. The caller sees to it
 * that one thread calls at a time (MPI_THREAD_SERIALIZED). */
#include "analysis/transport.h"

#include <limits.h>
#include <mpi.h>

static int send(const void *data, size_t length, int to, int tag) {
    return length <= INT_MAX &&
           MPI_Send(data, (int)length, MPI_BYTE, to, tag, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static int look(int *from, int tag, size_t *length) {
    int found = 0, count = 0;
    MPI_Status status;
    if (MPI_Iprobe(*from < 0 ? MPI_ANY_SOURCE : *from, tag, MPI_COMM_WORLD, &found, &status) !=
            MPI_SUCCESS ||
        !found)
        return 0;
    (void)MPI_Get_count(&status, MPI_BYTE, &count);
    *from = status.MPI_SOURCE;
    *length = (size_t)count;
    return 1;
}

static int receive(void *data, size_t length, int from, int tag) {
    return MPI_Recv(data, (int)length, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
           MPI_SUCCESS;
}

static void finish(void) {
    (void)MPI_Finalize();
}

__attribute__((visibility("default"))) ln_transport_open_function linnet_mpi_open;
int linnet_mpi_open(int version, ln_transport *transport) {
    int provided = 0;
    if (version != LN_TRANSPORT_VERSION ||
        MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return 0;
    *transport = (ln_transport){.send = send, .look = look, .receive = receive, .close = finish};
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &transport->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &transport->size);
    return 1;
}
