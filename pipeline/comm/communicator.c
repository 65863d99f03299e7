/* communicator.c - operations that need only those of alone.c and mpi.c. */
#include "pipeline/comm/comm.h"

#include "pipeline/support/pack.h"

trib_status trib_comm_agree(const trib_comm *comm, trib_status status, trib_error *error) {
    if (comm->size <= 1) return status;
    const uint64_t first =
        trib_comm_least(comm, status == TRIB_OK ? UINT64_MAX : (uint64_t)comm->rank);
    if (first == UINT64_MAX) return TRIB_OK;
    trib_error why = {.status = status};
    if (error && status != TRIB_OK) why = *error;
    why.status = status;
    trib_comm_share(comm, (int)first, &why, sizeof why);
    if (error) *error = why;
    return why.status;
}

void trib_comm_share_large(const trib_comm *comm, int from, void *bytes, size_t n) {
    enum { MOST = 1 << 30 }; /* bytes in one call */
    for (size_t at = 0; at < n && comm->size > 1; at += MOST)
        trib_comm_share(comm, from, (char *)bytes + at, n - at < MOST ? n - at : MOST);
}

static trib_status make_room(trib_buffer *bytes, uint64_t n, trib_error *error) {
    trib_buffer_release(bytes);
    const trib_status status =
        trib_grow(&bytes->text, &bytes->cap, (size_t)n + 1, 1, "what another rank found", error);
    if (status != TRIB_OK) return status;
    bytes->length = (size_t)n;
    bytes->text[n] = '\0';
    return TRIB_OK;
}

trib_status trib_comm_give(const trib_comm *comm, trib_status status, int from, trib_buffer *bytes,
                           trib_error *error) {
    uint64_t n = bytes->length;
    status = trib_comm_agree(comm, status, error);
    if (status != TRIB_OK || comm->size <= 1) return status;
    trib_comm_share(comm, from, &n, sizeof n);
    if (comm->rank != from) status = make_room(bytes, n, error);
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK) trib_comm_share_large(comm, from, bytes->text, (size_t)n);
    return status;
}

trib_status trib_comm_move(const trib_comm *comm, trib_status status, int to, int from,
                           trib_buffer *bytes, trib_error *error) {
    uint64_t n = bytes->length;
    status = trib_comm_agree(comm, status, error);
    if (status != TRIB_OK) return status;
    if (to >= 0) trib_comm_send(comm, to, &n, sizeof n);
    if (from >= 0) {
        trib_comm_receive(comm, from, &n, sizeof n);
        status = make_room(bytes, n, error);
    }
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK && to >= 0) trib_comm_send(comm, to, bytes->text, (size_t)n);
    if (status == TRIB_OK && from >= 0) trib_comm_receive(comm, from, bytes->text, (size_t)n);
    return status;
}

trib_status trib_comm_tell(const trib_comm *comm, trib_status status, int from, bool is_for_root,
                           trib_message message, void *context, trib_error *error) {
    const bool is_from = comm->rank == from, takes = !is_from && (!is_for_root || comm->rank == 0);
    trib_pack pack = {0};
    if (comm->size <= 1) return status;
    if (is_from && status == TRIB_OK) {
        message(context, from, &pack);
        status = trib_pack_check(&pack, error);
    }
    status = is_for_root ? trib_comm_move(comm, status, is_from ? 0 : -1, takes ? from : -1,
                                          &pack.bytes, error)
                         : trib_comm_give(comm, status, from, &pack.bytes, error);
    if (takes && status == TRIB_OK) {
        trib_pack in = trib_pack_reading(pack.bytes.text, pack.bytes.length);
        message(context, from, &in);
        status = trib_pack_check(&in, error);
        if (status == TRIB_OK && !trib_pack_is_whole(&in))
            status = trib_fail(error, TRIB_INTERNAL,
                               "rank %d received an invalid result from rank %d; are all machines "
                               "and programs of the same kind?",
                               comm->rank, from);
    }
    trib_pack_release(&pack);
    return trib_comm_agree(comm, status, error);
}

trib_status trib_comm_tell_all(const trib_comm *comm, trib_status status, bool is_for_root,
                               trib_message message, void *context, trib_error *error) {
    int from = is_for_root;
    do status = trib_comm_tell(comm, status, from, is_for_root, message, context, error);
    while (status == TRIB_OK && ++from < comm->size);
    return status;
}
