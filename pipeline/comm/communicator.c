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

/* The same as trib_comm_share for any n. */
static void share_large(const trib_comm *comm, int from, void *bytes, size_t n) {
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
    if (status == TRIB_OK) share_large(comm, from, bytes->text, (size_t)n);
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
    TRIB_OWNED(trib_pack) pack = {0};
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
    return trib_comm_agree(comm, status, error);
}

trib_status trib_comm_tell_all(const trib_comm *comm, trib_status status, bool is_for_root,
                               trib_message message, void *context, trib_error *error) {
    int from = is_for_root;
    do status = trib_comm_tell(comm, status, from, is_for_root, message, context, error);
    while (status == TRIB_OK && ++from < comm->size);
    return status;
}

/* ---- Items for every rank -------------------------------------------------------------------- */

/* A block on its way. Each rank has a slot of `most` items in `to` and in `from`. */
typedef struct block {
    const trib_comm *comm;
    size_t size, most; /* bytes of an item, items of a slot */
    char *to, *from;
    int *n_to, *n_from, *at; /* [comm->size] bytes in each slot; the first byte of each slot */
    int *each;               /* [2 * comm->size] for the sizes */
} block;

static trib_status block_init(block *b, const trib_comm *comm, size_t size, trib_error *error) {
    static const char what[] = "items for other processes";
    const size_t n = (size_t)comm->size, most = TRIB_COMM_BLOCK / (n * size);
    *b = (block){.comm = comm, .size = size, .most = most > 0 ? most : 1};
    trib_status status = trib_new(&b->to, n * b->most, size, what, error);
    if (status == TRIB_OK) status = trib_new(&b->from, n * b->most, size, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&b->n_to, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&b->n_from, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&b->at, n, what, error);
    if (status == TRIB_OK) status = TRIB_NEW(&b->each, 2 * n, what, error);
    for (size_t r = 0; r < n && status == TRIB_OK; r++) b->at[r] = (int)(r * b->most * size);
    return status;
}

/* Fills the slots with the items from number `first` on. Returns whether more are left. */
static bool fill(block *b, const void *const item[], const size_t n[], size_t first) {
    bool is_more = false;
    for (int r = 0; r < b->comm->size; r++) {
        const size_t left = n[r] > first ? n[r] - first : 0, one = left < b->most ? left : b->most;
        b->n_to[r] = (int)(one * b->size);
        if (one > 0)
            memcpy(b->to + b->at[r], (const char *)item[r] + first * b->size, one * b->size);
        is_more = is_more || left > one;
    }
    return is_more;
}

/* Sends the slots, after their sizes. */
static void send(const block *b, int *each, int *place) {
    for (int r = 0; r < b->comm->size; r++) {
        each[r] = (int)sizeof *b->n_to;
        place[r] = r * (int)sizeof *b->n_to;
    }
    trib_comm_all_to_all(b->comm, b->n_to, each, place, b->n_from, each, place);
    trib_comm_all_to_all(b->comm, b->to, b->n_to, b->at, b->from, b->n_from, b->at);
}

static trib_status take_all(const block *b, trib_comm_take take, void *context, trib_error *error) {
    trib_status status = TRIB_OK;
    for (int r = 0; r < b->comm->size && status == TRIB_OK; r++)
        if (b->n_from[r] > 0)
            status = take(context, b->from + b->at[r], (size_t)b->n_from[r] / b->size, error);
    return status;
}

static trib_status exchange(block *b, const void *const item[], const size_t n[],
                            trib_comm_take take, void *context, trib_error *error) {
    const size_t n_ranks = (size_t)b->comm->size;
    trib_status status = TRIB_OK;
    bool goes_on = true;
    for (size_t first = 0; goes_on; first += b->most) {
        const bool is_more = fill(b, item, n, first);
        send(b, b->each, b->each + n_ranks);
        if (status == TRIB_OK) status = take_all(b, take, context, error);
        goes_on = trib_comm_least(b->comm, !is_more) == 0;
    }
    return trib_comm_agree(b->comm, status, error);
}

trib_status trib_comm_exchange(const trib_comm *comm, trib_status status, const void *const item[],
                               const size_t n[], size_t size, trib_comm_take take, void *context,
                               trib_error *error) {
    block b = {0};
    if (comm->size <= 1)
        return status == TRIB_OK && n[0] > 0 ? take(context, item[0], n[0], error) : status;
    if (status == TRIB_OK) status = block_init(&b, comm, size, error);
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK) status = exchange(&b, item, n, take, context, error);
    TRIB_FREE(b.to, b.from, b.n_to, b.n_from, b.at, b.each);
    return status;
}
