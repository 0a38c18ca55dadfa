/* Processes that write to one cache are killed at any moment: what is loaded is whole, nobody waits
 * for the dead, their temporary files go. */
#include "fault.h"

#include "runtime/runtime.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static unsigned random_state = 2463534242u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    return random_state ^= random_state << 5;
}

static void nap(long microseconds)
{
    struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&pause, NULL);
}

/* --- killed while they write --- */

enum { KEYS = 8, MOST = 48 << 10 };

/* Every payload of a key begins with its own size and goes on with bytes of the key's. */
static size_t make_payload(int key, char payload[MOST])
{
    uint32_t size = 16 + next_random() % (MOST - 16);
    memset(payload, 'a' + key, size);
    memcpy(payload, &size, sizeof size);
    return size;
}

static bool is_whole(int key, const strbuf *found)
{
    uint32_t size = 0;
    if (found->n >= sizeof size) memcpy(&size, found->at, sizeof size);
    if (size < 16 || found->n != size) return false;
    for (size_t i = sizeof size; i < size; i++)
        if (found->at[i] != 'a' + key) return false;
    return true;
}

/* The first byte 0 makes the cache sweep too. */
static void name_key(int key, uint8_t bytes[ARTIFACT_KEY_SIZE])
{
    memset(bytes, 7, ARTIFACT_KEY_SIZE);
    bytes[0] = (uint8_t)(key / 2);
    bytes[1] = (uint8_t)key;
}

static void write_for_ever(void)
{
    static char payload[MOST];
    uint8_t bytes[ARTIFACT_KEY_SIZE];
    cpl_context *cx = fault_context(NULL, NULL);
    disk_cache *c = runtime_disk_cache(cx);
    for (;;) {
        int key = (int)(next_random() % KEYS);
        name_key(key, bytes);
        disk_cache_put(cx, c, bytes, payload, make_payload(key, payload));
    }
}

static void age_temporaries(const char *folder)
{
    struct timespec old[2] = {{time(NULL) - 7200, 0}, {time(NULL) - 7200, 0}};
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strncmp(e->d_name, ".tmp-", 5) == 0) utimensat(dirfd(d), e->d_name, old, 0);
    if (d) closedir(d);
}

static void killed_while_they_write(void **state)
{
    (void)state;
    static char payload[MOST];
    char folder[64];
    uint8_t bytes[ARTIFACT_KEY_SIZE];
    long kills = test_rounds(500, 10000), loads = 0, torn = 0;
    int most_temporaries = 0;
    fault_folder(folder);
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    messages said = {0};
    cpl_context *cx = fault_context(NULL, &said);
    disk_cache *c = runtime_disk_cache(cx);
    assert_non_null(c);
    for (long k = 0; k < kills; k++) {
        alarm(60); /* who waits for a dead one ends this test */
        fflush(NULL);
        next_random();
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) write_for_ever();
        nap((long)(next_random() % 4000));
        kill(child, SIGKILL);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        for (int key = 0; key < KEYS; key++) {
            strbuf found;
            sb_init(&found, context_mem(cx));
            name_key(key, bytes);
            if (disk_cache_get(cx, c, bytes, &found)) {
                loads++;
                torn += !is_whole(key, &found);
            }
            sb_free(&found);
        }
        disk_cache_put(cx, c, bytes, payload, make_payload(KEYS - 1, payload));
        int temporaries = fault_count(folder, ".tmp-");
        if (temporaries > most_temporaries) most_temporaries = temporaries;
        assert_int_equal(fault_count(folder, "") - temporaries <= KEYS, true);
    }
    alarm(0);
    assert_int_equal(torn, 0);
    assert_true(loads > kills);
    assert_int_equal(said.n, 0);       /* nor a warning */
    assert_true(most_temporaries > 0); /* some were killed in the midst of it */
    age_temporaries(folder);
    name_key(0, bytes);
    disk_cache_put(cx, c, bytes, payload, make_payload(0, payload));
    assert_int_equal(fault_count(folder, ".tmp-"), 0);
    fault_figures("kills",
                  "\"kills\": %ld, \"loads\": %ld, \"bad_loads\": %ld, \"left_half_written\": %d",
                  kills, loads, torn, most_temporaries);
    cpl_context_release(cx);
    fault_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_while_they_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
