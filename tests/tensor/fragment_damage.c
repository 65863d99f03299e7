/* fragment_damage.c - tests of tensor/fragment.c on files that were cut, altered or made up:
 * refused with a clear error, never believed. */
#include "tensor/fragment.h"
#include "tests/tensor/drawn.h"

TESTS(tensor, fragment_damage);

static trib_error error;

static void write_sample(trib_buffer *bytes, size_t n, const char *organisation, bool raw) {
    const trib_fragment_options options = {.organisation = trib_organisation_find(organisation),
                                           .raw = raw};
    trib_random random;
    trib_random_seed(&random, 1);
    GIVEN(trib_hacoo) table = empty_tensor(2, (uint32_t[]){3000, 300});
    for (size_t i = 0; i < n; i++) {
        const uint32_t index[] = {(uint32_t)trib_random_below(&random, 3000),
                                  (uint32_t)trib_random_below(&random, 300)};
        EXPECT_OK(trib_hacoo_add(&table, index, 1 + (uint32_t)i % 3, &error));
    }
    fragment_bytes(&table, &options, bytes);
}

/* Opens and reads bytes every way; the first failure. */
static trib_status read_all_ways(const void *bytes, size_t length, trib_error *failure) {
    TRIB_OPENED(trib_fragment) fragment = {0};
    GIVEN(trib_hacoo) table = {0}, part = {0};
    const trib_box box = {{0}, {100, 100, 100, 100, 100, 100, 100, 100}};
    uint64_t count = 0;
    trib_status status = trib_fragment_open_memory(&fragment, "f", bytes, length, failure);
    if (status != TRIB_OK) return status;
    const trib_status verified = trib_fragment_verify(&fragment, NULL);
    status = trib_fragment_read(&fragment, 1, &table, NULL, failure);
    EXPECT(verified == status);
    if (status == TRIB_OK) status = trib_fragment_region(&fragment, 1, &box, &part, NULL, failure);
    return status == TRIB_OK ? trib_fragment_points(&fragment, 1, 1, box.lower, &count, failure)
                             : status;
}

TEST(every_cut_is_refused) {
    GIVEN(trib_buffer) bytes = {0};
    write_sample(&bytes, 5000, "linear", false);
    EXPECT_OK(read_all_ways(bytes.text, bytes.length, &error));
    for (size_t length = 0; length < bytes.length; length += length < 300 ? 1 : 97)
        EXPECT(read_all_ways(bytes.text, length, NULL) == TRIB_INPUT);
    EXPECT_REFUSED(read_all_ways(bytes.text, 7, &error), TRIB_INPUT,
                   "f: is no fragment of a tensor");
    EXPECT_REFUSED(read_all_ways(bytes.text, 50, &error), TRIB_INPUT,
                   "f: is cut short: it ends within the header");
    EXPECT_STATUS(read_all_ways(bytes.text, bytes.length - 1, &error), TRIB_INPUT, error);
    EXPECT(strncmp(error.message, "f: is cut short: ", 17) == 0);
    EXPECT_OK(trib_buffer_add(&bytes, "x", 1, &error));
    EXPECT_STATUS(read_all_ways(bytes.text, bytes.length, &error), TRIB_INPUT, error);
    EXPECT(strncmp(error.message, "f: is too long: ", 16) == 0);
}

TEST(every_altered_byte_is_noticed) {
    GIVEN(trib_buffer) bytes = {0};
    write_sample(&bytes, 5000, "csf", false);
    for (size_t i = 0; i < bytes.length; i += i < 400 ? 1 : 61) {
        bytes.text[i] = (char)(bytes.text[i] ^ 1 << i % 8);
        EXPECT(read_all_ways(bytes.text, bytes.length, NULL) == TRIB_INPUT);
        bytes.text[i] = (char)(bytes.text[i] ^ 1 << i % 8);
    }
    bytes.text[bytes.length - 1] ^= 1;
    EXPECT_REFUSED(read_all_ways(bytes.text, bytes.length, &error), TRIB_INPUT,
                   "f: page 2 of 2 is altered or damaged: the checksum differs; make "
                   "the file again");
}

/* Makes all checksums right again, as someone would who wants to be believed. */
static void seal(trib_buffer *bytes) {
    uint8_t *at = (uint8_t *)bytes->text;
    const size_t place_bytes = 16 + 12 * (size_t)trib_take(at + 20, 4);
    const size_t n_pages = (size_t)trib_take(at + 76, 4);
    if (place_bytes > 200 || n_pages > 100 ||
        TRIB_FRAGMENT_HEADER + n_pages * place_bytes > bytes->length)
        return;
    size_t offset = TRIB_FRAGMENT_HEADER + n_pages * place_bytes;
    for (size_t p = 0; p < n_pages; p++) {
        uint8_t *place = at + TRIB_FRAGMENT_HEADER + p * place_bytes;
        const size_t stored = (size_t)trib_take(place, 4);
        if (stored > bytes->length - offset) break;
        trib_put(place + 8, trib_checksum(at + offset, stored), 8);
        offset += stored;
    }
    trib_put(at + 88, trib_checksum(at + TRIB_FRAGMENT_HEADER, n_pages * place_bytes), 8);
    trib_put(at + 96, trib_checksum(at, 96), 8);
}

TEST(no_made_up_number_is_believed) {
    size_t n_rows = 0;
    while (trib_organisations[n_rows].name) n_rows++;
    for (size_t r = 0; r < 2 * n_rows; r++) {
        GIVEN(trib_buffer) bytes = {0}, mine = {0};
        trib_random random;
        trib_random_seed(&random, 2);
        write_sample(&bytes, 300, trib_organisations[r / 2].name, r % 2 > 0);
        for (int i = 0; i < 4000; i++) {
            trib_buffer_clear(&mine);
            EXPECT_OK(trib_buffer_add(&mine, bytes.text, bytes.length, &error));
            for (int k = 0; k <= i % 3; k++) {
                const size_t at = (size_t)trib_random_below(&random, bytes.length);
                mine.text[at] = (char)trib_random_u64(&random);
            }
            seal(&mine);
            /* right or refused; the sanitizers see the rest */
            const trib_status status = read_all_ways(mine.text, mine.length, &error);
            if (status != TRIB_OK && status != TRIB_INPUT && status != TRIB_MEMORY)
                EXPECT_STATUS(status, TRIB_INPUT, error);
        }
    }
}

/* The message for a header in which `size` bytes at `at` hold `value`. */
static void expect_refused(const trib_buffer *good, size_t at, int size, uint64_t value,
                           const char *message) {
    GIVEN(trib_buffer) bytes = {0};
    EXPECT_OK(trib_buffer_add(&bytes, good->text, good->length, &error));
    trib_put((uint8_t *)bytes.text + at, value, size);
    trib_put((uint8_t *)bytes.text + 96, trib_checksum(bytes.text, 96), 8);
    EXPECT_REFUSED(read_all_ways(bytes.text, bytes.length, &error), TRIB_INPUT, message);
}

TEST(errors_say_what_is_wrong) {
    GIVEN(trib_buffer) bytes = {0};
    write_sample(&bytes, 300, "gcsr", false);
    expect_refused(&bytes, 0, 1, 'X', "f: is no fragment of a tensor");
    expect_refused(&bytes, 8, 4, 2, "f: is a fragment of version 2; this program reads version 1");
    expect_refused(&bytes, 12, 4, 5, "f: is organised or compressed in a way unknown here");
    expect_refused(&bytes, 16, 4, 4, "f: is organised or compressed in a way unknown here");
    expect_refused(&bytes, 40, 4, 9, "f: the header has dimensions beyond its modes");
    expect_refused(&bytes, 56, 8, UINT64_C(1) << 40,
                   "f: the header's numbers contradict each other");
    expect_refused(&bytes, 72, 4, 0, "f: the header's numbers contradict each other");
    expect_refused(&bytes, 64, 8, 1, "f: its counts do not add up to the sum in the header");
    expect_refused(&bytes, 88, 8, 1,
                   "f: the directory of its pages is altered or damaged: the checksum differs; "
                   "make the file again");
}

TEST(what_is_no_file_is_refused) {
    trib_fragment fragment;
    EXPECT_STATUS(trib_fragment_open(&fragment, "tests/nowhere/at.all", &error), TRIB_INPUT, error);
    EXPECT_STATUS(trib_fragment_open(&fragment, "/", &error), TRIB_INPUT, error);
    EXPECT_REFUSED(trib_fragment_open(&fragment, "/dev/null", &error), TRIB_INPUT,
                   "/dev/null: is not a seekable file");
    trib_fragment_close(&fragment);
    EXPECT(fragment.state == NULL);
}
