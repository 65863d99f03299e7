/* checkpoint.c - the state of a decomposition as a file: a few lines of text that describe it, its
 * numbers in binary as in memory, and a SHA-256 of all that. The first line, a byte-order mark and
 * the hash make sure that an incomplete or incompatible file is rejected. */
#include "decomp/decomp.h"

#define FIRST_LINE "tributary checkpoint 2\n"
#define ORDER_MARK 0x0102030405060708ULL /* reads as this number only in the same byte order */
enum { SUM_LENGTH = TRIB_SHA256_TEXT - 1, STEP_NUMBERS = sizeof(trib_cp_step) / sizeof(double) };

/* ---- Writing --------------------------------------------------------------------------------- */

static trib_status make_header(const trib_cp_state *state, const char *work, trib_buffer *text,
                               trib_error *error) {
    trib_status status = trib_buffer_print(
        text, error,
        FIRST_LINE "work %s\npart %u\niteration %u\nsteps %zu\nmodes %u\nrank %u\nstride %zu\n",
        work, (unsigned)state->part, (unsigned)state->iteration, state->n_steps,
        (unsigned)state->n_modes, (unsigned)state->rank, state->stride);
    for (uint32_t m = 0; m < state->n_modes && status == TRIB_OK; m++)
        status = trib_buffer_print(text, error, "mode %u %zu\n", (unsigned)state->dim[m],
                                   state->n_kept[m]);
    return status;
}

/* A file being written, and the hash of its bytes. */
typedef struct summed {
    trib_writer writer;
    trib_sha256 sum;
} summed;

static void put(summed *file, const void *bytes, size_t n) {
    trib_write(&file->writer, bytes, n);
    trib_sha256_add(&file->sum, bytes, n);
}

trib_status trib_checkpoint_write(const trib_cp_state *state, const char *work, const char *path,
                                  trib_error *error) {
    const uint64_t mark = ORDER_MARK;
    TRIB_OWNED(trib_buffer) header = {0};
    summed file = {.sum = {.is_begun = false}};
    char sum[TRIB_SHA256_TEXT];
    trib_status status = make_header(state, work, &header, error);
    if (status == TRIB_OK) status = trib_writer_open(&file.writer, path, error);
    if (status == TRIB_OK) {
        put(&file, header.text, header.length);
        put(&file, &mark, sizeof mark);
        put(&file, &state->fit, sizeof state->fit);
        put(&file, state->lambda, state->rank * sizeof *state->lambda);
        if (state->n_steps > 0) put(&file, state->step, state->n_steps * sizeof *state->step);
        for (uint32_t m = 0; m < state->n_modes; m++) {
            put(&file, state->factor[m],
                (size_t)state->dim[m] * state->stride * sizeof *state->factor[m]);
            if (state->n_kept[m] > 0)
                put(&file, state->kept[m], state->n_kept[m] * sizeof *state->kept[m]);
        }
        trib_sha256_end(&file.sum, sum);
        trib_write(&file.writer, sum, SUM_LENGTH);
        status = trib_writer_commit(&file.writer, NULL, error);
    }
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static trib_status reject(const char *name, const char *why, trib_error *error) {
    return trib_fail(error, TRIB_INPUT, "%s: %s; remove it to start anew", name, why);
}

static bool sum_is_right(const trib_buffer *text) {
    char sum[TRIB_SHA256_TEXT];
    trib_sha256 hash = {0};
    if (text->length < SUM_LENGTH) return false;
    trib_sha256_add(&hash, text->text, text->length - SUM_LENGTH);
    trib_sha256_end(&hash, sum);
    return memcmp(sum, text->text + text->length - SUM_LENGTH, SUM_LENGTH) == 0;
}

/* Reads "NAME number number ...\n" at *at; false when the text there differs. */
static bool read_line(const char **at, const char *name, size_t n, uint64_t *number) {
    const size_t length = strlen(name);
    if (strncmp(*at, name, length) != 0) return false;
    *at += length;
    for (size_t i = 0; i < n; i++) {
        char digits[24] = "";
        const size_t n_digits = **at == ' ' ? strspn(*at + 1, "0123456789") : 0;
        if (n_digits == 0 || n_digits >= sizeof digits) return false;
        memcpy(digits, *at + 1, n_digits);
        if (!trib_read_uint(digits, &number[i])) return false;
        *at += 1 + n_digits;
    }
    return *(*at)++ == '\n';
}

/* Reads the lines of text and moves *at to their end. */
static bool read_header(trib_cp_state *state, const char **at) {
    uint64_t part, iteration, n_steps, n_modes, rank, stride, mode[2];
    if (!read_line(at, "part", 1, &part) || !read_line(at, "iteration", 1, &iteration) ||
        !read_line(at, "steps", 1, &n_steps) || !read_line(at, "modes", 1, &n_modes) ||
        !read_line(at, "rank", 1, &rank) || !read_line(at, "stride", 1, &stride))
        return false;
    if (part > UINT32_MAX || iteration > UINT32_MAX || n_steps > iteration ||
        n_modes > TRIB_MAX_MODES || rank > UINT32_MAX || stride < rank || stride > UINT32_MAX)
        return false;
    *state = (trib_cp_state){.part = (uint32_t)part,
                             .iteration = (uint32_t)iteration,
                             .n_steps = n_steps,
                             .n_modes = (uint32_t)n_modes,
                             .rank = (uint32_t)rank,
                             .stride = stride};
    for (uint32_t m = 0; m < state->n_modes; m++) {
        if (!read_line(at, "mode", 2, mode) || mode[0] > UINT32_MAX || mode[1] > SIZE_MAX / 8)
            return false;
        state->dim[m] = (uint32_t)mode[0];
        state->n_kept[m] = mode[1];
    }
    return true;
}

/* Points the state at its numbers, which begin at number[0]; false when there are not exactly n of
 * them. */
static bool place_numbers(trib_cp_state *state, const double *number, size_t n) {
    size_t used = 1;
    if (n < 1 + (size_t)state->rank) return false;
    state->fit = number[0];
    state->lambda = number + used;
    used += state->rank;
    if (state->n_steps > (n - used) / STEP_NUMBERS) return false;
    state->step = (const trib_cp_step *)(const void *)(number + used);
    used += state->n_steps * STEP_NUMBERS;
    for (uint32_t m = 0; m < state->n_modes; m++) {
        const size_t size = (size_t)state->dim[m] * state->stride;
        if (size > n - used || state->n_kept[m] > n - used - size) return false;
        state->factor[m] = number + used;
        used += size;
        state->kept[m] = number + used;
        used += state->n_kept[m];
    }
    return used == n;
}

void trib_checkpoint_release(trib_checkpoint *checkpoint) {
    trib_free(checkpoint->number);
    *checkpoint = (trib_checkpoint){0};
}

static trib_status parse(trib_checkpoint *checkpoint, const trib_buffer *text, const char *work,
                         const char *name, trib_error *error) {
    const uint64_t mark = ORDER_MARK;
    const size_t first = strlen(FIRST_LINE), n_work = strlen(work);
    const char *at = text->text;
    trib_status status = TRIB_OK;
    if (text->length < first || memcmp(at, FIRST_LINE, first) != 0)
        return reject(name, "not a checkpoint of this version of tributary", error);
    if (!sum_is_right(text))
        return status != TRIB_OK ? status
                                 : reject(name, "damaged: its checksum does not match", error);
    at += first;
    if (strncmp(at, "work ", 5) != 0 || strncmp(at + 5, work, n_work) != 0 ||
        at[5 + n_work] != '\n')
        return reject(name, "written for another tensor or with other settings", error);
    at += 6 + n_work;
    const char *const end = text->text + text->length - SUM_LENGTH;
    if (!read_header(&checkpoint->state, &at) || (size_t)(end - at) < sizeof mark)
        return reject(name, "damaged: its header is invalid", error);
    if (memcmp(at, &mark, sizeof mark) != 0)
        return reject(name, "written on a machine of another byte order", error);
    at += sizeof mark;
    const size_t n = (size_t)(end - at) / sizeof(double);
    status = trib_new_aligned(&checkpoint->number, n, sizeof(double), "a checkpoint", error);
    if (status != TRIB_OK) return status;
    if (n > 0) memcpy(checkpoint->number, at, n * sizeof(double));
    if ((size_t)(end - at) % sizeof(double) != 0 ||
        !place_numbers(&checkpoint->state, checkpoint->number, n))
        return reject(name, "damaged: its length is wrong", error);
    return TRIB_OK;
}

trib_status trib_checkpoint_read(trib_checkpoint *checkpoint, const char *work, trib_reader *reader,
                                 trib_error *error) {
    TRIB_OWNED(trib_buffer) text = {0};
    *checkpoint = (trib_checkpoint){0};
    trib_status status = trib_reader_all(reader, &text, error);
    if (status == TRIB_OK && text.length == 0) status = reject(reader->name, "empty", error);
    if (status == TRIB_OK) status = parse(checkpoint, &text, work, reader->name, error);
    if (status != TRIB_OK) trib_checkpoint_release(checkpoint);
    return status;
}
