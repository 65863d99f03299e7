/* memory_limit.c - tests of the memory limits, with system files made for the tests. */
#include "tests/test.h"

#include <sys/stat.h>

#include "base/system.h"
#include "pipeline/support/memory_limit.h"

TESTS(support, memory_limit);

enum { LONGEST = 4096 };

/* Writes ROOT/NAME and the folders above it. */
static void put_file(const char *root, const char *name, const char *text) {
    char path[LONGEST];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        (void)mkdir(path, 0777);
    }
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static const char *root_of(const char *test) {
    const char *root = trib_scratch(test);
    (void)mkdir(root, 0777);
    return root;
}

TEST(without_groups_there_is_no_limit) {
    const char *root = root_of("room-no-groups");
    EXPECT(trib_memory_cgroup(root) == UINT64_MAX);
    put_file(root, "proc/self/cgroup", "");
    EXPECT(trib_memory_cgroup(root) == UINT64_MAX);
    put_file(root, "proc/self/cgroup", "no groups\n0:\n0::relative\n0::/gone\n");
    EXPECT(trib_memory_cgroup(root) == UINT64_MAX);
}

TEST(the_smallest_limit_of_a_group_and_its_parents_applies) {
    const char *root = root_of("room-above");
    put_file(root, "proc/self/cgroup", "0::/outer/middle/own\n");
    put_file(root, "sys/fs/cgroup/outer/middle/own/memory.max", "max\n");
    EXPECT(trib_memory_cgroup(root) == UINT64_MAX);
    put_file(root, "sys/fs/cgroup/outer/middle/own/memory.max", "300000000\n");
    EXPECT(trib_memory_cgroup(root) == 300000000);
    put_file(root, "sys/fs/cgroup/outer/memory.max", "200000000\n");
    EXPECT(trib_memory_cgroup(root) == 200000000);
    put_file(root, "sys/fs/cgroup/outer/middle/memory.high", "150000000\n");
    EXPECT(trib_memory_cgroup(root) == 150000000);
    put_file(root, "sys/fs/cgroup/outer/other/memory.max", "1\n"); /* limit of another group */
    EXPECT(trib_memory_cgroup(root) == 150000000);
}

TEST(version_1_has_a_separate_hierarchy_for_memory) {
    const char *root = root_of("room-version-1");
    put_file(root, "proc/self/cgroup",
             "9:name=systemd:/own\n5:cpu,cpuacct:/own\n4:hugetlb,memory:/a/b\n0::/\n");
    put_file(root, "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT(trib_memory_cgroup(root) == 9223372036854771712U); /* the value that means no limit */
    put_file(root, "sys/fs/cgroup/memory/a/memory.limit_in_bytes", "100663296\n");
    EXPECT(trib_memory_cgroup(root) == 100663296);
    put_file(root, "sys/fs/cgroup/memory/own/memory.limit_in_bytes",
             "1\n"); /* limit of another controller */
    EXPECT(trib_memory_cgroup(root) == 100663296);
}

/* As in a container whose group has its name on the host, but is the root inside. */
TEST(a_missing_group_means_the_root) {
    const char *root = root_of("room-not-there");
    put_file(root, "proc/self/cgroup", "4:memory:/docker/0123456789ab\n");
    put_file(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
    EXPECT(trib_memory_cgroup(root) == 536870912);
    put_file(root, "proc/self/cgroup",
             "0::/../../system.slice/x\n"); /* a group outside the container */
    put_file(root, "sys/fs/cgroup/memory.max", "268435456\n");
    EXPECT(trib_memory_cgroup(root) == 268435456);
}

TEST(a_requested_limit_excludes_the_program_itself) {
    uint64_t space, taken;
    trib_process_memory(&space, &taken);
    const uint64_t asked = taken + (1U << 30);
    const uint64_t left = trib_memory_allowed(asked, 1, 1);
    EXPECT(left > 0 && left < 1U << 30);
    EXPECT(trib_memory_allowed(asked, 1, 1 << 20) <= left);
    EXPECT(trib_memory_machine() > 0);
    EXPECT(trib_memory_container() == 0 || trib_memory_container() == trib_memory_machine());
}

/* Without a limit, the system would kill a program that needs more memory than there is. */
TEST(the_default_limit_is_the_memory_of_the_machine) {
    const uint64_t left = trib_memory_allowed(0, 1, 1);
    EXPECT(left > 0 && left < trib_memory_machine());
    EXPECT(trib_memory_container() > 0 ||
           trib_memory_allowed(0, 1, 2) == trib_memory_allowed(0, 1, 3));
}
