/* book.c - the words of one book: its own, from the language and from words that only its author or
 * only it uses, and the passages that it takes from older books. */
#include "tests/rehearsal/rehearsal.h"

#include <ctype.h>

/* Purposes of random numbers, so that no two of them use the same stream. */
enum { OWN = 1, NEW_WORD, CAST, AUTHORS_WORD, FAVOURITE, BORROW, PAGE, WHICH_PAGE, MISPRINT };

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c) {
    trib_random random;
    trib_random_seed(&random, a);
    random.state ^= trib_random_u64(&random) + b * UINT64_C(0xD1342543DE82EF95);
    random.state ^= trib_random_u64(&random) + c * UINT64_C(0xAF251AF3B0F025B5);
    return trib_random_u64(&random);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

void release_text(text *t) {
    trib_arena_release(&t->arena);
    free(t->word);
    *t = (text){0};
}

static const char *store(text *t, const char *bytes, size_t n) {
    const char *stored = trib_arena_copy(&t->arena, bytes, n);
    if (t->arena.failure.status != TRIB_OK) fail(t->arena.failure.message);
    return stored;
}

static void add(text *t, word w) {
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 1 << 12;
        t->word = realloc(t->word, t->cap * sizeof *t->word);
        if (!t->word) fail("out of memory");
    }
    t->word[t->n++] = w;
}

/* ---- Own words ------------------------------------------------------------------------------- */

/* Whose words are written, and where the chain is. */
typedef struct pen {
    const language *language;
    uint64_t book, author; /* seeds */
    bool is_foreign;
    trib_random random;
    uint16_t before, last; /* symbols */
    uint64_t n_new;
} pen;

static word invented(text *t, const pen *w, uint64_t number, bool is_name) {
    char letters[LONGEST_WORD];
    const size_t n = invent(w->language, number, letters);
    if (is_name) letters[0] = (char)toupper((unsigned char)letters[0]);
    return (word){.text = store(t, letters, n), .length = (uint8_t)n};
}

/* An index below n, small ones most often. */
static uint64_t low_index(trib_random *random, uint64_t n) {
    const double u = trib_random_unit(random);
    return (uint64_t)((double)n * u * u * u);
}

/* A word of a class: new, of the book, of the author, or of the language. */
static word draw(text *t, pen *w, uint16_t symbol) {
    enum { N_CAST = 20, N_OWN_WORDS = 300, N_FAVOURITES = 500 };
    const bool is_name = symbol == A_NAME;
    const double u = trib_random_unit(&w->random);
    const word *list = w->language->of[symbol - FIRST_CLASS];
    const size_t n = w->language->n_of[symbol - FIRST_CLASS];
    if (u < .008) return invented(t, w, mix(w->book, NEW_WORD, w->n_new++), is_name);
    if (is_name && u < .7)
        return invented(t, w, mix(w->book, CAST, low_index(&w->random, N_CAST)), true);
    if (u < .06)
        return invented(t, w, mix(w->author, AUTHORS_WORD, low_index(&w->random, N_OWN_WORDS)),
                        is_name);
    if (u < .40)
        return list[mix(w->author, FAVOURITE + UINT64_C(16) * symbol,
                        low_index(&w->random, N_FAVOURITES)) %
                    n];
    return list[trib_random_below(&w->random, n)];
}

/* The symbol after the last two; now and then one after any, so that no pair is a dead end. */
static uint16_t next_symbol(pen *w) {
    const language *l = w->language;
    const size_t pair = (size_t)w->before * N_SYMBOLS + w->last;
    uint32_t from = l->from[pair], n = l->from[pair + 1] - from;
    if (n == 0) {
        from = 0;
        n = l->from[(size_t)N_SYMBOLS * N_SYMBOLS];
    }
    w->before = w->last;
    return w->last = l->symbol[from + trib_random_below(&w->random, n)];
}

static void add_heading(text *to, size_t chapter) {
    static const char *const tens[] = {"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"};
    static const char *const ones[] = {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"};
    char number[16];
    const int n =
        snprintf(number, sizeof number, "%s%s", tens[chapter / 10 % 10], ones[chapter % 10]);
    add(to, (word){.text = "CHAPTER", .length = 7});
    add(to, (word){.text = store(to, n > 0 ? number : "C", n > 0 ? (size_t)n : 1),
                   .length = (uint8_t)(n > 0 ? n : 1),
                   .end = PARAGRAPH});
}

/* Another word for every word of the language, the same in all books. */
static word translated(text *to, const pen *w, word from) {
    uint64_t hash = 0;
    for (size_t i = 0; i < from.length; i++) hash = hash * 131 + (unsigned char)from.text[i];
    word other = invented(to, w, hash, false);
    if (other.length + 2 < LONGEST_WORD && hash % 3 == 0) {
        char letters[LONGEST_WORD];
        memcpy(letters, other.text, other.length);
        memcpy(letters + other.length, "\xC3\xA9", 2);
        other.text = store(to, letters, other.length + 2u);
        other.length = (uint8_t)(other.length + 2);
    }
    other.end = from.end;
    return other;
}

/* Appends n words. */
static void write_words(text *to, pen *w, size_t n) {
    w->before = w->last = A_STOP;
    for (const size_t end = to->n + n; to->n < end;) {
        const uint16_t symbol = next_symbol(w);
        word *last = to->n > 0 ? &to->word[to->n - 1] : NULL;
        if (symbol == A_COMMA || symbol == A_STOP) {
            if (last && last->end < STOP) last->end = symbol == A_COMMA ? COMMA : STOP;
            if (symbol == A_STOP && last && last->end == STOP && trib_random_unit(&w->random) < .2)
                last->end = PARAGRAPH;
            continue;
        }
        word one = symbol < N_COMMON ? w->language->common[symbol] : draw(to, w, symbol);
        one.end = SPACE;
        add(to, w->is_foreign ? translated(to, w, one) : one);
    }
    to->word[to->n - 1].end = PARAGRAPH;
}

void write_own(text *own, const plan *p, size_t b) {
    enum { CHAPTER = 3000 };
    const book *about = &p->book[b];
    pen w = {.language = &p->language,
             .book = mix(p->seed, OWN, about->number),
             .author = p->author[about->author].seed,
             .is_foreign = about->kind == FOREIGN};
    trib_random_seed(&w.random, w.book);
    own->n = 0;
    for (size_t chapter = 1; own->n < about->n_words; chapter++) {
        const size_t left = about->n_words - own->n;
        add_heading(own, chapter);
        write_words(own, &w, left < CHAPTER + 2 ? (left > 3 ? left - 2 : 1) : CHAPTER);
    }
}

void add_boilerplate(text *to, const plan *p, size_t b) {
    enum { N_PUBLISHERS = 60 };
    trib_random random;
    trib_random_seed(&random, mix(p->seed, WHICH_PAGE, p->book[b].number));
    for (int page = 0; page < 2; page++) { /* of everybody, of one of the publishers */
        const double u = trib_random_unit(&random);
        const uint64_t which = page == 0 ? 0 : 1 + trib_random_below(&random, N_PUBLISHERS);
        if (u >= (page == 0 ? .15 : .3)) continue;
        pen w = {.language = &p->language, .book = mix(p->seed, PAGE, which)};
        w.author = w.book;
        trib_random_seed(&w.random, w.book);
        write_words(to, &w, 60 + trib_random_below(&w.random, 120));
    }
}

/* ---- Borrowing ------------------------------------------------------------------------------- */

uint32_t year_of(const plan *p, size_t b) { return p->author[p->book[b].author].born + 30; }

/* How many books are strictly older. */
static size_t n_older(const plan *p, size_t b) {
    size_t low = 0, high = p->n_regular;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (year_of(p, p->by_year[middle]) < year_of(p, b)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int by_place(const void *a, const void *b) {
    const passage *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static double between(trib_random *random, double low, double high) {
    return exp(log(low) + (log(high) - log(low)) * trib_random_unit(random));
}

/* Takes n words of a source in passages of 20 to 300 words. They come from its first two fifths,
 * which are always its own words, because no book borrows more than three fifths of its text. */
static void take(borrowing *taken, uint32_t source, size_t n, const plan *p, trib_random *random) {
    const size_t available = p->book[source].n_words * 2 / 5;
    const float changed = (float)(.06 * trib_random_unit(random));
    if (n > available) n = available;
    while (n >= 12 && taken->n < MOST_PASSAGES) {
        size_t length = (size_t)between(random, 20, 300);
        if (length > n || n - length < 12) length = n;
        passage *one = &taken->passage[taken->n++];
        one->source = source;
        one->n = (uint32_t)length;
        one->from = (uint32_t)trib_random_below(random, available - length + 1);
        one->changed = changed;
        n -= length;
    }
}

void borrow(borrowing *taken, const plan *p, size_t b) {
    enum { CLASSICS = 200 }; /* one book of so many is one */
    const double most = .6;
    const size_t older = n_older(p, b), n_words = p->book[b].n_words;
    size_t n_taken = 0;
    uint32_t source[MOST_SOURCES];
    trib_random random;
    trib_random_seed(&random, mix(p->seed, BORROW, p->book[b].number));
    taken->n = 0;
    if (p->book[b].kind != REGULAR || older == 0 || trib_random_unit(&random) > .35) return;
    const size_t n_sources = 1 + trib_random_below(&random, MOST_SOURCES);
    for (size_t s = 0; s < n_sources; s++) {
        const size_t classics = 1 + p->n_regular / CLASSICS;
        const bool is_classic = trib_random_unit(&random) < .25;
        source[s] = p->by_year[trib_random_below(&random, is_classic && classics < older ? classics
                                                                                         : older)];
        const double share = between(&random, .004, .25);
        bool again = (double)n_taken + share * (double)n_words > most * (double)n_words;
        for (size_t i = 0; i < s; i++) again = again || source[i] == source[s];
        if (again) continue;
        take(taken, source[s], (size_t)(share * (double)n_words), p, &random);
        n_taken = 0;
        for (size_t i = 0; i < taken->n; i++) n_taken += taken->passage[i].n;
    }
    for (size_t i = 0; i < taken->n; i++)
        taken->passage[i].at = (uint32_t)trib_random_below(&random, n_words - n_taken + 1);
    qsort(taken->passage, taken->n, sizeof *taken->passage, by_place);
}

/* ---- The whole text -------------------------------------------------------------------------- */

/* Copies words whose text stays where it is, in a text that lives as long. */
static void copy_words(text *to, const text *from, size_t first, size_t n) {
    for (size_t i = 0; i < n; i++) {
        word w = from->word[first + i];
        if (to != from) w.text = store(to, w.text, w.length);
        add(to, w);
    }
}

static void copy_passage(text *whole, const passage *taken, const text *source, pen *w) {
    copy_words(whole, source, taken->from, taken->n);
    for (size_t i = whole->n - taken->n; i < whole->n; i++) {
        if (trib_random_unit(&w->random) >= (double)taken->changed) continue;
        const uint8_t end = whole->word[i].end;
        whole->word[i] = draw(whole, w, A_LONG);
        whole->word[i].end = end;
    }
}

/* An edition is the text with misprints. */
static void misprint(text *whole, const plan *p, size_t b) {
    trib_random random;
    trib_random_seed(&random, mix(p->seed, MISPRINT, p->book[b].number));
    for (size_t i = 0; i < whole->n; i++) {
        if (trib_random_unit(&random) > .005) continue;
        const uint8_t end = whole->word[i].end;
        whole->word[i] = p->language.common[trib_random_below(&random, N_COMMON)];
        whole->word[i].end = end;
    }
}

void compose(text *whole, borrowing *taken, const plan *p, size_t b) {
    text own = {0}, source[MOST_SOURCES] = {{0}};
    uint32_t held[MOST_SOURCES];
    size_t n_held = 0, at = 0;
    const size_t origin = p->book[b].origin;
    pen w = {.language = &p->language,
             .book = mix(p->seed, OWN, UINT64_C(1) << 40 | p->book[origin].number),
             .author = p->author[p->book[origin].author].seed};
    trib_random_seed(&w.random, w.book);
    borrow(taken, p, origin);
    write_own(&own, p, origin);
    size_t n_own = own.n;
    for (size_t i = 0; i < taken->n; i++) n_own -= taken->passage[i].n;
    for (size_t i = 0; i < taken->n; i++) {
        passage *one = &taken->passage[i];
        size_t s = 0;
        while (s < n_held && held[s] != one->source) s++;
        if (s == n_held) {
            held[n_held++] = one->source;
            write_own(&source[s], p, one->source);
        }
        copy_words(whole, &own, at, one->at - at);
        at = one->at;
        one->target_from = (uint32_t)whole->n;
        copy_passage(whole, one, &source[s], &w);
    }
    copy_words(whole, &own, at, n_own - at);
    if (b != origin) misprint(whole, p, b);
    add_boilerplate(whole, p, b);
    release_text(&own);
    for (size_t s = 0; s < n_held; s++) release_text(&source[s]);
}
