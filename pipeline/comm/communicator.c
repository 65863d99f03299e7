/* communicator.c - what a team does, by sharing and adding alone. */
#include "pipeline/comm/communicator.h"

trib_status trib_comm_agree(const trib_comm *team, trib_status status, trib_error *error) {
    if (team->size <= 1) return status;
    const uint64_t first =
        trib_comm_least(team, status == TRIB_OK ? UINT64_MAX : (uint64_t)team->rank);
    if (first == UINT64_MAX) return TRIB_OK;
    trib_error why = {.status = status};
    if (error && status != TRIB_OK) why = *error;
    why.status = status;
    trib_comm_share(team, (int)first, &why, sizeof why);
    if (error) *error = why;
    return why.status;
}

void trib_comm_share_large(const trib_comm *team, int from, void *bytes, size_t n) {
    enum { MOST = 1 << 30 }; /* at once */
    for (size_t at = 0; at < n && team->size > 1; at += MOST)
        trib_comm_share(team, from, (char *)bytes + at, n - at < MOST ? n - at : MOST);
}

trib_status trib_comm_give(const trib_comm *team, int from, trib_buffer *bytes, trib_error *error) {
    uint64_t n = bytes->length;
    trib_status status = TRIB_OK;
    if (team->size <= 1) return TRIB_OK;
    trib_comm_share(team, from, &n, sizeof n);
    if (team->rank != from) {
        trib_buffer_release(bytes);
        status = trib_grow(&bytes->text, &bytes->cap, (size_t)n + 1, 1, "what another rank found",
                           error);
    }
    status = trib_comm_agree(team, status, error);
    if (status != TRIB_OK) return status;
    trib_comm_share_large(team, from, bytes->text, (size_t)n);
    if (team->rank != from) {
        bytes->length = (size_t)n;
        bytes->text[n] = '\0';
    }
    return TRIB_OK;
}
