/* Machine files: values, what is missing, what is broken and where, the tighter of two machines;
   every file of machines/; random machines printed and read back; random damage never crashes and
   never passes unnoticed as another status. */
#include "runtime/internal.h"
#include "tests/unit/runtime_test.h"
#include <glob.h>
#include <inttypes.h>

static int parse(const char *text, struct treefork_machine *machine)
{
    return treefork_machine_parse(text, strlen(text), "m.json", machine);
}

static void values(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine m;
    CHECK(test, parse("{}", &m) == TREEFORK_OK && strcmp(m.name, "m.json") == 0);
    CHECK(test, m.value[TREEFORK_T_B] == TREEFORK_UNLIMITED && m.value[TREEFORK_W_B] == 1 &&
                    m.value[TREEFORK_Q_B] == 1);
    CHECK(test, parse(" {\"name\":\"x \\\"y\\\" \\u00fc\", \"T_B\" : "
                      "256,\n\"shared_words_per_block\": 12288, \"warp_size\": null}\n",
                      &m) == TREEFORK_OK);
    CHECK(test, strcmp(m.name, "x \"y\" \xC3\xBC") == 0 && m.value[TREEFORK_T_B] == 256 &&
                    m.value[TREEFORK_Z_B] == 12288);
    CHECK(test, m.value[TREEFORK_W_B] == 1 && m.value[TREEFORK_F_B] == TREEFORK_UNLIMITED);
    CHECK(test, parse("{\"architecture\": 60}", &m) == TREEFORK_OK &&
                    m.value[TREEFORK_R_B] == 255 && m.value[TREEFORK_Q_B] == 2);
    CHECK(test, parse("{\"architecture\": 20}", &m) == TREEFORK_OK && m.value[TREEFORK_R_B] == 63);
    CHECK(test, parse("{\"architecture\": 121}", &m) == TREEFORK_OK &&
                    m.value[TREEFORK_R_B] == 255 && m.value[TREEFORK_Q_B] == 4);
    CHECK(test, parse("{\"architecture\": 80, \"R_B\": 64, \"Q_B\": null}", &m) == TREEFORK_OK &&
                    m.value[TREEFORK_R_B] == 64 && m.value[TREEFORK_Q_B] == 1);
    CHECK(test, parse("{\"l2_bytes\": 9223372036854775807}", &m) == TREEFORK_OK &&
                    m.value[TREEFORK_L_D] == INT64_MAX);
}

/* Text and the beginning of the message. */
static const char *const broken[][2] = {
    { "", "m.json:1:1: the file ends where '{'" },
    { "[1]", "m.json:1:1: expected '{'" },
    { "{\"T_B\": 1", "m.json:1:10: the file ends where '}'" },
    { "{\"T_B\": }", "m.json:1:9: expected a string, an integer or null" },
    { "{\"T_B\":", "m.json:1:8: the file ends where a value" },
    { "{\"T_B\" 1}", "m.json:1:8: expected ':'" },
    { "{T_B: 1}", "m.json:1:2: expected '\"'" },
    { "{\"T_B\": 1,}", "m.json:1:11: expected '\"'" },
    { "{\"T_B\": 1}\n x", "m.json:2:2: something follows" },
    { "{\n  \"threads\": 1}", "m.json:2:3: unknown key \"threads\"" },
    { "{\"T_B\": 1, \"T_B\": 2}", "m.json:1:12: \"T_B\" stands twice" },
    { "{\"T_B\": 1, \"threads_per_block\": 2}", "m.json:1:12: \"threads_per_block\" stands twice" },
    { "{\"T_B\": 0}", "m.json:1:2: \"T_B\" must be at least 1" },
    { "{\"Z_B\": -4}", "m.json:1:2: \"Z_B\" must not be negative" },
    { "{\"warp_size\": 9223372036854775807}", "m.json:1:2: \"warp_size\" cannot be unlimited" },
    { "{\"T_B\": 9223372036854775808}", "m.json:1:9: this number does not fit" },
    { "{\"T_B\": 99999999999999999999999}", "m.json:1:9: this number does not fit" },
    { "{\"T_B\": 1.5}", "m.json:1:9: expected an integer without fraction" },
    { "{\"T_B\": 1e3}", "m.json:1:9: expected an integer without fraction" },
    { "{\"T_B\": 012}", "m.json:1:9: this is no number" },
    { "{\"T_B\": -}", "m.json:1:9: this is no number" },
    { "{\"T_B\": \"many\"}", "m.json:1:2: \"T_B\" is an integer or null" },
    { "{\"T_B\": true}", "m.json:1:9: expected a string, an integer or null" },
    { "{\"T_B\": {}}", "m.json:1:9: expected a string, an integer or null" },
    { "{\"name\": 3}", "m.json:1:2: \"name\" is a string" },
    { "{\"name\": \"a\", \"name\": \"b\"}", "m.json:1:15: \"name\" stands twice" },
    { "{\"name\": \"a", "m.json:1:10: this string has no end" },
    { "{\"name\": \"a\\q\"}", "m.json:1:13: unknown escape" },
    { "{\"name\": \"\\u12g4\"}", "m.json:1:15: expected four hexadecimal digits" },
    { "{\"name\": \"\\ud800\"}", "m.json:1:17: this \\u escape" },
    { "{\"name\": \"a\nb\"}", "m.json:1:12: a control character" },
    { "{\"source\": null}", "m.json:1:2: \"source\" is a string" },
    { "{\"name\": nul}", "m.json:1:10: expected a string, an integer or null" },
};

static void breakage(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine before, m;
    treefork_machine_clear(&m, "untouched");
    before = m;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        bool right = parse(broken[i][0], &m) == TREEFORK_FILE &&
                     strncmp(treefork_message(), broken[i][1], strlen(broken[i][1])) == 0;
        if (!CHECK(test, right))
            fprintf(stderr, "  text: %s\n  want: %s\n", broken[i][0], broken[i][1]);
    }
    CHECK(test, memcmp(&before, &m, sizeof m) == 0);
    char name[300] = "{\"name\": \"";
    memset(name + 10, 'x', 200);
    strcpy(name + 210, "\"}");
    CHECK(test, parse(name, &m) == TREEFORK_FILE && strstr(treefork_message(), "longer than 127"));
    CHECK(test, treefork_machine_read("machines/there-is-none.json", &m) == TREEFORK_FILE &&
                    strstr(treefork_message(), "there-is-none"));
    CHECK(test, treefork_machine_read("machines", &m) == TREEFORK_FILE);
}

static void files(struct test *test)
{
    check_test(&test->count);
    glob_t found = {0};
    CHECK(test, glob("machines/*.json", 0, NULL, &found) == 0);
    CHECK(test, found.gl_pathc >= 15);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct treefork_machine machine;
        CHECK(test, treefork_machine_read(found.gl_pathv[i], &machine) == TREEFORK_OK &&
                        machine.name[0] && machine.value[TREEFORK_Z_B] % 256 == 0);
    }
    globfree(&found);
    struct treefork_machine m;
    CHECK(test, treefork_machine_read("machines/fermi-m2050.json", &m) == TREEFORK_OK &&
                    m.value[TREEFORK_R_B] == 63 && m.value[TREEFORK_Z_B] == 12288 &&
                    m.value[TREEFORK_T_B] == 1024 && m.value[TREEFORK_F_B] == 32768);
}

static void meet(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine a, b;
    CHECK(test, parse("{\"T_B\": 1024, \"Z_B\": 100, \"warp_size\": 32, \"architecture\": 90}",
                      &a) == TREEFORK_OK);
    CHECK(
        test,
        parse("{\"T_B\": 64, \"Z_B\": 200, \"F_B\": 8192, \"warp_size\": 16, \"architecture\": 70}",
              &b) == TREEFORK_OK);
    treefork_machine_meet(&a, &b);
    CHECK(test, a.value[TREEFORK_T_B] == 64 && a.value[TREEFORK_Z_B] == 100 &&
                    a.value[TREEFORK_F_B] == 8192);
    CHECK(test, a.value[TREEFORK_W_B] == 32 && a.value[TREEFORK_A_D] == 70);
    CHECK(test, treefork_parameter_find("Z_B") == TREEFORK_Z_B &&
                    treefork_parameter_find("shared_words_per_block") == TREEFORK_Z_B);
    CHECK(test, treefork_parameter_find("Z") == -1 && treefork_parameter_find(NULL) == -1);
    CHECK(test, strcmp(treefork_parameter_unit(TREEFORK_Z_B), "4-byte words") == 0 &&
                    !treefork_parameter_symbol(-1));
}

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* What is printed is read back, from memory of exactly its length. */
static void round_trip(struct test *test, uint64_t seed)
{
    check_test(&test->count);
    for (int round = 0; round < 200; round++) {
        struct treefork_text text = { 0 };
        struct treefork_machine m, back;
        treefork_machine_clear(&m, "random");
        treefork_text_add(&text, "{\"name\": \"random\"");
        for (int i = 0; i < TREEFORK_PARAMETERS; i++) {
            uint64_t shift = 1 + random_next(&seed) % 62;
            m.value[i] = (int64_t)(random_next(&seed) >> shift) + 1;
            treefork_text_add(&text, ", \"%s\": %" PRId64, treefork_parameter_key(i), m.value[i]);
        }
        treefork_text_add(&text, "}");
        char *exact = malloc(text.length);
        memcpy(exact, text.text, text.length);
        CHECK(test, treefork_machine_parse(exact, text.length, "r", &back) == TREEFORK_OK
                    && memcmp(back.value, m.value, sizeof m.value) == 0);
        for (size_t n = 0; n < text.length && round == 0; n++) {
            char *prefix = malloc(n ? n : 1);
            memcpy(prefix, exact, n);
            CHECK(test, treefork_machine_parse(prefix, n, "r", &back) == TREEFORK_FILE);
            free(prefix);
        }
        for (int k = 0; k < 50; k++) {
            uint64_t at = random_next(&seed) % text.length;
            exact[at] = (char)random_next(&seed);
            int status = treefork_machine_parse(exact, text.length, "r", &back);
            CHECK(test,
                  status == TREEFORK_OK || (status == TREEFORK_FILE && treefork_message()[0]));
        }
        free(exact);
        free(text.text);
    }
}

int main(void)
{
    struct test test = { .name = "runtime_machine" };
    values(&test);
    breakage(&test);
    files(&test);
    meet(&test);
    printf("runtime_machine: seed 20261120\n");
    round_trip(&test, 20261120);
    return test_end(&test);
}
