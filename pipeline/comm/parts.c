/* parts.c - distributes the parts of a stage (documents, targets) over ranks and threads by their
 * sizes. The results have the same bits for any number of ranks and threads: one rank computes a
 * part as it would alone, and the others receive its result. Preparations run in a fixed order,
 * since the preparation of a part may build on earlier ones. */
#include "pipeline/comm/parts.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/internal.h"
#include "pipeline/support/memory_limit.h"
#include "pipeline/support/pack.h"

/* ---- By size --------------------------------------------------------------------------------- */

typedef struct sized {
    uint32_t part;
    uint64_t size;
} sized;

/* By descending size, then by number. */
TRIB_ORDER(by_size, sized, TRIB_DOWN(size) ?: TRIB_UP(part));

static uint64_t size_of(const void *context, uint32_t part, trib_part_size size) {
    return 1 + (size ? size(context, part) : 0);
}

static trib_status sort_parts(const void *context, uint32_t n, trib_part_size size, sized **parts,
                              trib_error *error) {
    const trib_status status = TRIB_NEW(parts, n, "the order of parts", error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++)
        (*parts)[i] = (sized){i, size_of(context, i, size)};
    if (status == TRIB_OK && n > 1) qsort(*parts, n, sizeof **parts, by_size);
    return status;
}

/* Assigns the parts, the largest first, each to the rank with the smallest load (Graham 1969). */
static trib_status find_owners(int n_ranks, const sized *parts, uint32_t n, int *owner,
                               trib_error *error) {
    TRIB_FREED(uint64_t *) load = NULL;
    const trib_status status = TRIB_NEW(&load, (size_t)n_ranks, "the order of parts", error);
    for (uint32_t i = 0; i < n && status == TRIB_OK; i++) {
        int least = 0;
        for (int rank = 1; rank < n_ranks; rank++)
            if (load[rank] < load[least]) least = rank;
        owner[parts[i].part] = least;
        load[least] += parts[i].size;
    }
    return status;
}

trib_status trib_parts_owners(int n_ranks, uint32_t n, trib_part_size size, const void *context,
                              int **owner, trib_error *error) {
    TRIB_FREED(sized *) parts = NULL;
    trib_status status = TRIB_NEW(owner, n, "the order of parts", error);
    if (status == TRIB_OK) status = sort_parts(context, n, size, &parts, error);
    if (status == TRIB_OK) status = find_owners(n_ranks > 1 ? n_ranks : 1, parts, n, *owner, error);
    return status;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* The progress of all parts together. */
typedef struct progress {
    trib_progress log; /* of the stage; called by one thread at a time */
    double done, total;
    /* a stop was requested; a preparation failed, on which later ones build */
    atomic_bool stopped, failed;
} progress;

static pthread_mutex_t ticking = PTHREAD_MUTEX_INITIALIZER;

static void tick(progress *p, double more) {
    pthread_mutex_lock(&ticking);
    p->done += more;
    if (!trib_progress_tick(&p->log, p->done, p->total)) atomic_store(&p->stopped, true);
    pthread_mutex_unlock(&ticking);
}

/* The progress callback of a part. It only checks for a stop request, since the progress of one
 * part says little about the progress of all. */
static bool ask(void *context, double done, double total) {
    progress *p = context;
    (void)done;
    (void)total;
    tick(p, 0);
    return !atomic_load(&p->stopped);
}

/* One call of trib_parts_do. */
typedef struct job {
    const trib_workers *workers;
    const trib_part_row *row;
    void *context;
} job;

/* Does one part. A part that lacks memory while others run, or on several threads, is repeated
 * alone on one thread, so that it fails only if it would with one thread. */
static trib_status do_part(const job *j, uint32_t part, bool is_alone, int inside, trib_gate *gate,
                           trib_progress asked, trib_error *error) {
    const trib_part_row *row = j->row;
    trib_gate_enter(gate);
    trib_status status = row->work(j->context, part, inside, asked, error);
    const bool again = status == TRIB_MEMORY && row->forget && !(is_alone && inside == 1);
    if (again) row->forget(j->context, part);
    trib_gate_leave(gate);
    if (!again) return status;
    trib_gate_enter_alone(gate);
    *error = (trib_error){0};
    status = row->work(j->context, part, 1, asked, error);
    trib_gate_leave(gate);
    return status;
}

/* The number of large parts, which run first, one after the other, each on all threads. The other
 * parts run concurrently. Threads inside a part have about 0.8 of the efficiency of threads on
 * separate parts. So a part gets all threads when it would take longer alone than that together
 * with its share of the others: size > size/(0.8 t) + (left - size)/t. */
static uint32_t n_large(const sized *parts, uint32_t n, int n_threads) {
    double left = 0;
    for (uint32_t i = 0; i < n; i++) left += (double)parts[i].size;
    uint32_t i = 0;
    for (; n_threads > 1 && i < n; i++) {
        const double size = (double)parts[i].size;
        if (size * (n_threads - 0.25) <= left) break;
        left -= size;
    }
    return i;
}

/* Whose turn it is to be prepared: parts are prepared in the order of the list, each by the thread
 * that then does it. The others sleep. (With `omp ordered` they would spin, and every thread would
 * wait for its turn at the end of each part, too.) */
typedef struct turns {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t next;
} turns;

/* Prepares part i of the list, unless the run was stopped or an earlier part failed. Returns
 * whether the part is to be done. */
static bool prepare_part(const job *j, const sized *parts, uint32_t i, int inside, turns *turn,
                         progress *p, trib_status *status, trib_error *error) {
    const trib_progress asked = {.tick = ask, .context = p};
    if (!j->row->prepare) return !atomic_load(&p->stopped);
    pthread_mutex_lock(&turn->lock);
    while (turn->next != i) pthread_cond_wait(&turn->changed, &turn->lock);
    pthread_mutex_unlock(&turn->lock);
    const bool ready = !atomic_load(&p->stopped) && !atomic_load(&p->failed);
    if (ready) *status = j->row->prepare(j->row->preparing, parts[i].part, inside, asked, error);
    if (*status != TRIB_OK) atomic_store(&p->failed, true);
    pthread_mutex_lock(&turn->lock);
    turn->next++;
    pthread_cond_broadcast(&turn->changed);
    pthread_mutex_unlock(&turn->lock);
    return ready;
}

/* Does parts first .. end-1 of the list concurrently, each on `inside` threads. */
static trib_status work_side_by_side(const job *j, const sized *parts, uint32_t first, uint32_t end,
                                     int outside, int inside, progress *p, trib_error *error) {
    trib_status status = TRIB_OK;
    size_t failed = SIZE_MAX; /* the first part of the list that failed */
    turns turn = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, first};
    trib_gate gate;
    trib_gate_init(&gate);
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(outside)
    for (uint32_t i = first; i < end; i++) {
        trib_error failure = {0};
        const trib_progress asked = {.tick = ask, .context = p};
        trib_status one = TRIB_OK;
        if (!prepare_part(j, parts, i, inside, &turn, p, &one, &failure)) continue;
        if (one == TRIB_OK)
            one = do_part(j, parts[i].part, outside == 1, inside, &gate, asked, &failure);
        tick(p, (double)parts[i].size);
        trib_keep_first(i, one, &failure, &failed, &status, error);
    }
    trib_gate_release(&gate);
    pthread_cond_destroy(&turn.changed);
    pthread_mutex_destroy(&turn.lock);
    return status;
}

static trib_status work_here(const job *j, const sized *parts, uint32_t n, trib_error *error) {
    const int n_threads = j->workers->n_threads;
    trib_log *const log = j->workers->log;
    const bool prepares = j->row->prepare != NULL;
    const uint32_t large = !prepares                 ? n_large(parts, n, n_threads)
                           : n < (uint32_t)n_threads ? n
                                                     : 0;
    progress p = {.log = trib_log_progress(log)};
    for (uint32_t i = 0; i < n; i++) p.total += (double)parts[i].size;
    trib_status status = work_side_by_side(j, parts, 0, large, 1, n_threads, &p, error);
    if (status == TRIB_OK) status = work_side_by_side(j, parts, large, n, n_threads, 1, &p, error);
    /* a stopped part only reports that it was stopped; the log knows why */
    if (atomic_load(&p.stopped) && (status == TRIB_OK || status == TRIB_INTERRUPTED))
        status = trib_log_stopped(log, error);
    return status;
}

/* ---- Ranks ----------------------------------------------------------------------------------- */

/* The results of one rank on their way to the others. */
typedef struct sharing {
    const trib_part_row *row;
    void *context;
    uint32_t n;      /* parts */
    int from;        /* the rank that has the results */
    uint32_t next;   /* its first part that was not sent */
    uint32_t n_sent; /* parts in the message */
} sharing;

static uint32_t next_of(const sharing *s, uint32_t part) {
    while (part < s->n && s->row->owner[part] != s->from) part++;
    return part;
}

/* The number of results in a parcel, then those of rank `from` from s->next on, up to about AT_ONCE
 * bytes. */
static void pack_parcel(void *context, int from, trib_pack *pack) {
    enum { AT_ONCE = 8 << 20 };
    sharing *s = context;
    uint32_t n = 0, n_told = 0, part = s->next;
    (void)from;
    TRIB_PACK(pack, n_told);
    for (; part < s->n &&
           (pack->reads ? n < n_told && trib_pack_is_good(pack) : pack->bytes.length < AT_ONCE);
         part = next_of(s, part + 1), n++)
        s->row->pack(s->context, part, pack);
    trib_pack_expect(pack, n == n_told);
    if (!pack->reads && pack->failure.status == TRIB_OK) memcpy(pack->bytes.text, &n, sizeof n);
    s->n_sent = n;
}

trib_status trib_parts_share(const trib_comm *comm, trib_status status, uint32_t n,
                             const trib_part_row *row, void *context, trib_error *error) {
    if (comm->size <= 1) return status;
    status = trib_comm_agree(comm, status, error);
    for (int from = row->is_for_root; from < comm->size && status == TRIB_OK; from++) {
        sharing s = {.row = row, .context = context, .n = n, .from = from};
        s.next = next_of(&s, 0);
        while (s.next < n && status == TRIB_OK) {
            status = trib_comm_tell(comm, TRIB_OK, from, row->is_for_root, pack_parcel, &s, error);
            if (status == TRIB_OK) trib_comm_share(comm, from, &s.n_sent, sizeof s.n_sent);
            for (; status == TRIB_OK && s.n_sent > 0; s.n_sent--) s.next = next_of(&s, s.next + 1);
        }
    }
    return status;
}

/* Moves the parts of this rank to the front of the sorted list. Returns their number. */
static uint32_t keep_own(int rank, sized *parts, uint32_t n, const int *owner) {
    uint32_t n_own = 0;
    for (uint32_t i = 0; i < n; i++)
        if (owner[parts[i].part] == rank) parts[n_own++] = parts[i];
    return n_own;
}

/* Lists the parts of this rank in the order of their preparation. owner NULL: all parts. */
static uint32_t put_in_order(const job *j, sized *parts, uint32_t n, const int *owner) {
    uint32_t n_own = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t part = j->row->order[i];
        if (owner && owner[part] != j->workers->comm->rank) continue;
        parts[n_own++] = (sized){part, size_of(j->context, part, j->row->size)};
    }
    return n_own;
}

trib_status trib_parts_do(const trib_workers *workers, trib_status status, uint32_t n,
                          const trib_part_row *row, void *context, trib_error *error) {
    const job j = {workers, row, context};
    const trib_comm *comm = workers->comm;
    const bool spread = comm->size > 1 && (row->pack || row->owner);
    TRIB_FREED(int *) by_size = NULL;
    TRIB_FREED(sized *) parts = NULL;
    uint32_t n_here = n;
    trib_part_row of = *row; /* with the owners */
    if (status == TRIB_OK) status = sort_parts(context, n, row->size, &parts, error);
    if (status == TRIB_OK && spread && !row->owner) {
        status = TRIB_NEW(&by_size, n, "the order of parts", error);
        if (status == TRIB_OK) status = find_owners(comm->size, parts, n, by_size, error);
        of.owner = by_size;
    }
    const int *const owner = spread ? of.owner : NULL;
    if (status == TRIB_OK && spread) n_here = keep_own(comm->rank, parts, n, owner);
    status = trib_comm_agree(comm, status, error);
    if (status == TRIB_OK && row->prepare) n_here = put_in_order(&j, parts, n, owner);
    if (status == TRIB_OK) status = work_here(&j, parts, n_here, error);
    return spread && row->pack ? trib_parts_share(comm, status, n, &of, context, error)
                               : trib_comm_agree(comm, status, error);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;

trib_status trib_tasks_do(const trib_workers *workers, size_t n, trib_task_work work, void *context,
                          trib_error *error) {
    atomic_size_t failed = n; /* lowest number of a task that failed */
    const trib_progress shown = trib_log_progress(workers->log);
    size_t n_done = 0;
    trib_status status = TRIB_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(workers->n_threads)
    for (size_t i = 0; i < n; i++) {
        trib_error failure = {0};
        if (i > atomic_load(&failed)) continue;
        trib_status one = trib_stop_check(&failure);
        if (one == TRIB_OK) one = work(context, i, &failure);
        pthread_mutex_lock(&joining);
        if (one == TRIB_OK) (void)trib_progress_tick(&shown, (double)++n_done, (double)n);
        if (one != TRIB_OK && i < atomic_load(&failed)) {
            atomic_store(&failed, i);
            status = one;
            if (error) *error = failure;
        }
        pthread_mutex_unlock(&joining);
    }
    return status;
}
