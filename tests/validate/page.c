/* page.c - quick */
#include "tests/validate/validate.h"
#include <math.h>
typedef bool (*chooser)(const known_case *c);
static bool is_judge(const known_case *c) { return c->judge; }
static bool plain(const known_case *c) {
    return c->noise == 0 && c->n_words >= 1500 && c->n_sources < 10;
}
static bool many(const known_case *c) { return c->n_sources >= 10; }
static bool noise(const known_case *c) { return c->noise > 0; }
static bool shrt(const known_case *c) { return c->noise == 0 && c->n_words < 1500; }
static void cell(const validation *v, const char *name, chooser f, int half) {
    printf("== %s %s\n%-16s %7s %7s %7s %7s %7s %7s | cov true/zero/all  floor sec\n", name,
           half == 0   ? "tune"
           : half == 1 ? "judge"
                       : "all",
           "way", "pearson", "mae", "maetrue", "unrel", "maxun", "author");
    for (size_t w = 0; ways[w].name; w++) {
        double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0, n = 0, mae = 0, mt = 0, nt = 0, un = 0,
               nu = 0, mu = 0, am = 0, nc = 0, ct = 0, cz = 0, sec = 0, bad = 0;
        for (size_t i = 0; i < v->n_planted; i++) {
            const known_case *c = &v->planted[i];
            const estimate *e = &c->found[w];
            if (!e->made || !f(c) || (half < 2 && is_judge(c) != half)) continue;
            nc++;
            am += fabs(e->author - c->author);
            sec += e->seconds;
            bool above = false;
            for (size_t s = 0; s < c->n_sources; s++) {
                double x = c->truth[s], y = e->share[s];
                n++;
                sx += x;
                sy += y;
                sxx += x * x;
                syy += y * y;
                sxy += x * y;
                mae += fabs(x - y);
                bool cov = e->has_interval && e->low[s] <= x && x <= e->high[s];
                if (x > 0) {
                    mt += fabs(x - y);
                    nt++;
                    ct += cov;
                } else {
                    un += y;
                    nu++;
                    if (y > mu) mu = y;
                    cz += cov;
                    above |= y >= .015;
                }
            }
            bad += above;
        }
        if (nc == 0) continue;
        printf("%-16s %7.4f %7.4f %7.4f %7.4f %7.4f %7.4f | %.3f %.3f %.3f  %.3f %.2f\n",
               ways[w].name, (sxy - sx * sy / n) / sqrt((sxx - sx * sx / n) * (syy - sy * sy / n)),
               mae / n, mt / nt, un / nu, mu, am / nc, ct / nt, cz / nu, (ct + cz) / n,
               1 - bad / nc, sec / nc);
    }
}
void write_page(const validation *v, FILE *page, const char *plots) {
    (void)page;
    (void)plots;
    for (int h = 0; h < 3; h++) {
        cell(v, "plain", plain, h);
        cell(v, "many", many, h);
        cell(v, "noise", noise, h);
        cell(v, "short", shrt, h);
    }
    if (getenv("VALIDATE_TELL"))
        for (size_t i = 0; i < v->n_planted; i++) {
            const known_case *c = &v->planted[i];
            printf("-- %s\n truth          ", c->name);
            for (size_t s = 0; s < c->n_sources && s < 10; s++) printf(" %.4f", c->truth[s]);
            printf(" | %.4f\n", c->author);
            for (size_t w = 0; ways[w].name; w++) {
                const estimate *e = &c->found[w];
                if (!e->made) continue;
                printf(" %-15s", ways[w].name);
                for (size_t s = 0; s < c->n_sources && s < 10; s++) printf(" %.4f", e->share[s]);
                printf(" | %.4f  %.2fs\n", e->author, e->seconds);
            }
        }
    for (size_t w = 0; ways[w].name; w++) {
        double r[64];
        size_t n = 0, ok = 0;
        double un = 0, nu = 0;
        for (size_t i = 0; i < v->n_real; i++) {
            const known_case *c = &v->real[i];
            const estimate *e = &c->found[w];
            if (!e->made) continue;
            double weak = 1, strong = 0;
            for (size_t s = 0; s < c->n_sources; s++) {
                if (c->truth[s] > 0) {
                    if (e->share[s] < weak) weak = e->share[s];
                } else {
                    if (e->share[s] > strong) strong = e->share[s];
                    un += e->share[s];
                    nu++;
                }
            }
            r[n++] = weak / fmax(strong, 1e-6);
            if (!c->is_weak) ok += weak > strong;
            if (getenv("VALIDATE_TELL")) {
                printf("%-12s %-34s %6.2f  %s ", ways[w].name, c->name, r[n - 1],
                       weak > strong ? "" : "X");
                for (size_t s = 0; s < c->n_sources; s++)
                    printf(" %s%.4f", c->truth[s] > 0 ? "+" : "", e->share[s]);
                printf(" | %.3f\n", e->author);
            }
        }
        if (!n) continue;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                if (r[j] < r[i]) {
                    double t = r[i];
                    r[i] = r[j];
                    r[j] = t;
                }
        printf("%-16s ordered %zu of %zu  median ratio %.2f  mean unrelated %.5f\n", ways[w].name,
               ok, n, n % 2 ? r[n / 2] : (r[n / 2] + r[n / 2 - 1]) / 2, un / nu);
    }
}
