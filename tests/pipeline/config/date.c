/* date.c - tests of written dates: single ones, ranges, and what is none. */
#include "pipeline/config/date.h"

#include <math.h>

#include "tests/test.h"

typedef struct dated {
    const char *text;
    double year, year_end;
} dated;

static void expect_dates(const dated *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double year = NAN, year_end = NAN;
        const bool is_date = trib_date_read(list[i].text, &year, &year_end);
        const bool is_right =
            is_date && (year == list[i].year || fabs(year - list[i].year) < 1e-9) &&
            (year_end == list[i].year_end || fabs(year_end - list[i].year_end) < 1e-9);
        if (!is_right) fprintf(stderr, "%s: %d %g %g\n", list[i].text, is_date, year, year_end);
        EXPECT(is_right);
    }
}

enum { MARCH = 59, MAY = 120 }; /* days of a year before them */
#define DAY(year, days)   (year) + (days) / 365.0
#define FIVE_MARCH        DAY(1871, MARCH + 4), DAY(1871, MARCH + 5)
#define THREE_MAY         DAY(1871, MAY + 2), DAY(1871, MAY + 3)
#define EXPECT_DATES(...) expect_dates(__VA_ARGS__, sizeof(__VA_ARGS__) / sizeof *(__VA_ARGS__))

static void days_and_months_are_read_as_people_write_them(void) {
    EXPECT_DATES(((const dated[]){
        {"5 March 1871", FIVE_MARCH},
        {"5 march 1871.", FIVE_MARCH},
        {"March 5, 1871", FIVE_MARCH},
        {"5th of March, 1871", FIVE_MARCH},
        {"Mar. 5th 1871", FIVE_MARCH},
        {"1871 March 5", FIVE_MARCH},
        {"5. M\xC3\xA4rz 1871", FIVE_MARCH},
        {"5.3.1871", FIVE_MARCH},
        {"05.03.1871", FIVE_MARCH},
        {"5. 3. 1871", FIVE_MARCH},
        {"5.III.1871", FIVE_MARCH},
        {"5/III/1871", FIVE_MARCH},
        {"1871/3/5", FIVE_MARCH},
        {"1871-3-5", FIVE_MARCH},
        {"[1871-03-05]", FIVE_MARCH},
        {"c. 5 March 1871", FIVE_MARCH},
        {"5 mars 1871", FIVE_MARCH},
        {"5 de marzo de 1871", FIVE_MARCH},
        {"5 marzo 1871", FIVE_MARCH},
        {"3 mai 1871", THREE_MAY},
        {"3 maggio 1871", THREE_MAY},
        {"3. Mai 1871", THREE_MAY},
        {"1er mai 1871", DAY(1871, MAY), DAY(1871, MAY + 1)},
        {"31/12/1871", DAY(1871, 364), 1872},
        {"12/31/1871", DAY(1871, 364), 1872},
        {"March 1871", DAY(1871, MARCH), DAY(1871, 90)},
        {"Sept. 1871", DAY(1871, 243), DAY(1871, 273)},
        {"J\xC3\xA4nner 1871", 1871, DAY(1871, 31)},
        {"1871/03", DAY(1871, MARCH), DAY(1871, 90)},
        {"3.1871", DAY(1871, MARCH), DAY(1871, 90)},
        {"1871-03-XX", DAY(1871, MARCH), DAY(1871, 90)},
        {"44 BC", -43, -42},
        {"44 v. Chr.", -43, -42},
        {"15 March 44 B.C.", -43 + (MARCH + 14) / 365.0, -43 + (MARCH + 15) / 365.0},
        {"AD 79", 79, 80},
        {"865", 865, 866},
    }));
}

static void a_day_and_a_month_in_unknown_order_are_both(void) {
    EXPECT_DATES(((const dated[]){
        {"3/5/1871", DAY(1871, MARCH + 4), DAY(1871, MAY + 3)},
        {"5-3-1871", DAY(1871, MARCH + 4), DAY(1871, MAY + 3)},
        {"4/4/1871", DAY(1871, 93), DAY(1871, 94)},
    }));
}

static void ranges_are_what_is_certain(void) {
    EXPECT_DATES(((const dated[]){
        {"1871-1873", 1871, 1874},
        {"1871 \xE2\x80\x93 1873", 1871, 1874},
        {"1871-73", 1871, 1874},
        {"1871/72", 1871, 1873},
        {"1871/2", 1871, 1873},
        {"1899/00", 1899, 1901},
        {"1901/02", 1901, 1903},
        {"between 1871 and 1873", 1871, 1874},
        {"1871 or 1872", 1871, 1873},
        {"zwischen 1871 und 1873", 1871, 1874},
        {"5 March 1660/61", 1660 + 64 / 366.0, DAY(1661, MARCH + 5)},
        {"March-May 1871", DAY(1871, MARCH), DAY(1871, MAY + 31)},
        {"5-7 March 1871", DAY(1871, MARCH + 4), DAY(1871, MARCH + 7)},
        {"5 March - 3 May 1871", DAY(1871, MARCH + 4), DAY(1871, MAY + 3)},
        {"5.3.-3.5.1871", DAY(1871, MARCH + 4), DAY(1871, MAY + 3)},
        {"1870s", 1870, 1880},
        {"1800s", 1800, 1900},
        {"187X", 1870, 1880},
        {"18XX", 1800, 1900},
        {"1871-XX", 1871, 1872},
        {"1871/1873", 1871, 1874},
        {"1871-03/1871-05", DAY(1871, MARCH), DAY(1871, MAY + 31)},
        {"1900-02/1900-05", DAY(1900, 31), DAY(1900, 151)},
        {"1871-03-05/1871-05-03", DAY(1871, MARCH + 4), DAY(1871, MAY + 3)},
        {"1871?/1873~", 1871, 1874},
        {"-0043/-0026", -43, -25},
        {"[1871]", 1871, 1872},
        {"[18]71", 1871, 1872},
        {"[ca. 1871?]", 1871, 1872},
        {"1871~", 1871, 1872},
        {"early 1871", 1871, 1872},
        {"19th century", 1800, 1901},
        {"XIXe si\xC3\xA8"
         "cle",
         1800, 1901},
        {"19. Jahrhundert", 1800, 1901},
        {"secolo XIX", 1800, 1901},
        {"19th c.", 1800, 1901},
        {"late 19th century", 1850, 1901},
        {"first half of the 19th century", 1800, 1851},
        {"mid-19th century", 1825, 1876},
        {"1st century", 1, 101},
        {"1st century BC", -99, 1},
        {"16th-17th century", 1500, 1701},
    }));
}

static void a_range_may_be_open(void) {
    EXPECT_DATES(((const dated[]){
        {"before 1880", -HUGE_VAL, 1880},
        {"vor 1880", -HUGE_VAL, 1880},
        {"after 1870", 1871, HUGE_VAL},
        {"after 5 March 1871", DAY(1871, MARCH + 5), HUGE_VAL},
        {"until 1880", -HUGE_VAL, 1881},
        {"not after 1880", -HUGE_VAL, 1881},
        {"not before 1880", 1880, HUGE_VAL},
        {"since 1880", 1880, HUGE_VAL},
        {"../1880", -HUGE_VAL, 1881},
        {"1871/..", 1871, HUGE_VAL},
    }));
}

static void what_is_no_date_is_refused(void) {
    static const char *const bad[] = {
        "soon",
        "n.d.",
        "1873-1871",
        "31 February 1871",
        "5 Marchy 1871",
        "1871 1872",
        "jui 1871",
        "/",
        "../..",
        "0 BC",
        "before",
        "c. c. 1776",
        "13/13/1871",
        "3.5.71",
        "1871-13-01",
        "5 1871",
        "century",
        "1871 March 45",
        "\xFF",
        "1871-1872-1873",
        "before after 1871",
        "40th century",
        "1871-",
        "a long text that cannot be a date because it has more letters than any date has, 1871",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27",
    };
    double year, year_end;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (trib_date_read(bad[i], &year, &year_end)) fprintf(stderr, "%s is a date\n", bad[i]);
        EXPECT(!trib_date_read(bad[i], &year, &year_end));
    }
}

static void a_range_is_drawn_at_its_middle_an_open_one_at_its_end(void) {
    static const dated years[] = {
        {"1871", 1871, 1871},
        {"1871-1873", 1871, 1873},
        {"before 1880", -HUGE_VAL, 1879},
        {"after 1870", 1871, HUGE_VAL},
        {"19th century", 1800, 1900},
        {"5 March 1871", 1871, 1871},
        {"44 BC", -43, -43},
        {"1871-12", 1871, 1871},
    };
    static const double at[] = {1871, 1872,          1879, 1871, 1850, DAY(1871, MARCH + 4),
                                -43,  DAY(1871, 334)};
    for (size_t i = 0; i < sizeof years / sizeof *years; i++) {
        double first, last, year, year_end;
        CHECK(trib_date_years(years[i].text, &first, &last));
        EXPECT(first == years[i].year && last == years[i].year_end);
        CHECK(trib_date_read(years[i].text, &year, &year_end));
        EXPECT_NEAR(trib_date_point(year, year_end), at[i], 1e-9);
    }
    EXPECT(isnan(trib_date_point((double)NAN, (double)NAN)));
}

CU_TestInfo trib_tests_config_date[] = {
    {"days and months are read as people write them",
     days_and_months_are_read_as_people_write_them},
    {"a day and a month in unknown order are both", a_day_and_a_month_in_unknown_order_are_both},
    {"ranges are what is certain", ranges_are_what_is_certain},
    {"a range may be open", a_range_may_be_open},
    {"what is no date is refused", what_is_no_date_is_refused},
    {"a range is drawn at its middle, an open one at its end",
     a_range_is_drawn_at_its_middle_an_open_one_at_its_end},
    CU_TEST_INFO_NULL,
};
