/* date.c - tests of written dates: single ones, ranges, and what is none. */
#include "pipeline/config/date.h"

#include "tests/test.h"

TESTS(config, date);

/* A year as a case has it: "1871", "1871+63/365", "-inf". */
static double year_of(const char *field) {
    char *end;
    const double year = strtod(trib_case_text(field), &end);
    double days = 0, of = 365;
    return sscanf(end, "%lf/%lf", &days, &of) == 2 ? year + days / of : year;
}

static void expect_year(double year, const char *field) {
    const double wanted = year_of(field);
    if (year != wanted) EXPECT_NEAR(year, wanted, 1e-9);
}

/* Without years: not a date. */
CASES("tests/pipeline/config/date.txt [date]", a_date_is_read) {
    double from, to;
    const bool is_date = trib_date_read(trib_case_text("text"), &from, &to);
    EXPECT(is_date == (*trib_case_text("from") != '\0'));
    if (!is_date) return;
    expect_year(from, "from");
    expect_year(to, "to");
}

CASES("tests/pipeline/config/date.txt [drawn]",
      a_range_is_drawn_at_its_middle_an_open_one_at_its_end) {
    double first, last, from, to;
    CHECK(trib_date_years(trib_case_text("text"), &first, &last));
    expect_year(first, "first");
    expect_year(last, "last");
    CHECK(trib_date_read(trib_case_text("text"), &from, &to));
    expect_year(trib_date_point(from, to), "at");
}

TEST(what_has_no_years_is_drawn_nowhere) {
    EXPECT(isnan(trib_date_point((double)NAN, (double)NAN)));
}
