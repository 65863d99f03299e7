/* robots.c - tests of reading robots.txt. */
#include "pipeline/program/fetch.h"

#include "tests/test.h"

TESTS(program, robots);

static bool allows(const char *text, const char *path) {
    return trib_robots_ask(text, strlen(text), "tributary", path).is_allowed;
}

TEST(without_a_rule_everything_is_allowed) {
    EXPECT(allows("", "/1"));
    EXPECT(allows("<html>no: rules</html>\n\n:\nnothing", "/1"));
    EXPECT(allows("User-agent: *\nDisallow:\n", "/1"));
    EXPECT(allows("Disallow: /\n", "/1")); /* a rule without a user agent */
    EXPECT(allows("User-agent: other\nDisallow: /\n", "/1"));
}

TEST(the_longest_rule_decides) {
    const char *text = "\xEF\xBB\xBFUser-Agent: *   # all\r\nDisallow: /cache/ # not this\r\n"
                       "allow: /cache/epub\r\nDisallow: /same\r\nAllow: /same";
    EXPECT(!allows(text, "/cache/1"));
    EXPECT(!allows(text, "/cache/"));
    EXPECT(allows(text, "/cache"));
    EXPECT(allows(text, "/cache/epub/1"));
    EXPECT(allows(text, "/same"));
    EXPECT(allows(text, "/"));
    EXPECT(!allows("User-agent: *\nDisallow: /\n", "/1"));
}

TEST(asterisks_and_dollar_signs_are_patterns) {
    const char *text = "User-agent: *\nDisallow: /*.zip$\nDisallow: /a*b*c\nDisallow: *q*\n";
    EXPECT(!allows(text, "/1/2.zip"));
    EXPECT(allows(text, "/1/2.zip.txt"));
    EXPECT(!allows(text, "/.zip.zip"));
    EXPECT(!allows(text, "/abcd"));
    EXPECT(!allows(text, "/axxbbyyc"));
    EXPECT(allows(text, "/acb"));
    EXPECT(!allows(text, "/xq"));
}

TEST(a_named_agent_obeys_only_its_own_group) {
    const char *text =
        "User-agent: *\nDisallow: /\nCrawl-delay: 9\n\n"
        "User-agent: other\nUser-agent: TRIBUTARY\nDisallow: /private\nCrawl-delay: 2.5\n"
        "User-agent: third\nDisallow: /texts\n";
    EXPECT(allows(text, "/texts"));
    EXPECT(!allows(text, "/private/1"));
    EXPECT(trib_robots_ask(text, strlen(text), "tributary", "/").delay == 2.5);
    EXPECT(!trib_robots_ask(text, strlen(text), "fourth", "/1").is_allowed);
    EXPECT(trib_robots_ask(text, strlen(text), "fourth", "/1").delay == 9);
    const char *odd = "User-agent: *\nCrawl-delay: -1\nCrawl-delay: soon\n";
    EXPECT(trib_robots_ask(odd, strlen(odd), "tributary", "/").delay == 0);
}
