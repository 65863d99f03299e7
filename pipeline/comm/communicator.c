/* communicator.c - operations that need only trib_comm_share and trib_comm_least. */
#include "pipeline/comm/comm.h"

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

trib_status trib_comm_give(const trib_comm *comm, int from, trib_buffer *bytes, trib_error *error) {
    uint64_t n = bytes->length;
    trib_status status = TRIB_OK;
    if (comm->size <= 1) return TRIB_OK;
    trib_comm_share(comm, from, &n, sizeof n);
    if (comm->rank != from) {
        trib_buffer_release(bytes);
        status = trib_grow(&bytes->text, &bytes->cap, (size_t)n + 1, 1, "what another rank found",
                           error);
    }
    status = trib_comm_agree(comm, status, error);
    if (status != TRIB_OK) return status;
    trib_comm_share_large(comm, from, bytes->text, (size_t)n);
    if (comm->rank != from) {
        bytes->length = (size_t)n;
        bytes->text[n] = '\0';
    }
    return TRIB_OK;
}
