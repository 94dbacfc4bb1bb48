/* Choices that were made, by key. In: a key, and at first its choice. Out: the choice that was
   remembered under an equal key. There are at most REMEMBERED_MAX; the next one forgets them all,
   since a program that meets so many points seldom comes back to the first. */
#include "runtime/choice.h"
#include "runtime/stays.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024, REMEMBERED_MAX = 8192 };

struct known_choice {
    struct known_choice *next;
    struct treefork_chosen choice;
    size_t n;
    treefork_int key[];
};

static struct known_choice *buckets[BUCKETS];
static size_t n_remembered;
static atomic_uint_fast64_t generation;
static pthread_mutex_t memory_mutex = PTHREAD_MUTEX_INITIALIZER;

uint64_t treefork_key_hash(const struct treefork_key *key)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < key->n; i++)
        hash = (hash ^ (uint64_t)key->at[i]) * 1099511628211u;
    return hash ^ hash >> 32;
}

static size_t key_bucket(const struct treefork_key *key)
{
    return (size_t)(treefork_key_hash(key) % BUCKETS);
}

bool treefork_choice_recall(const struct treefork_key *key, struct treefork_chosen *choice)
{
    pthread_mutex_lock(&memory_mutex);
    const struct known_choice *r = buckets[key_bucket(key)];
    while (r && (r->n != key->n || memcmp(r->key, key->at, key->n * sizeof *r->key) != 0))
        r = r->next;
    if (r)
        *choice = r->choice;
    pthread_mutex_unlock(&memory_mutex);
    return r != NULL;
}

static void memory_clear(void)
{
    for (size_t i = 0; i < BUCKETS; i++)
        while (buckets[i]) {
            struct known_choice *next = buckets[i]->next;
            free(buckets[i]);
            buckets[i] = next;
        }
    n_remembered = 0;
}

void treefork_choice_forget(void)
{
    pthread_mutex_lock(&memory_mutex);
    memory_clear();
    atomic_fetch_add(&generation, 1);
    treefork_stays_forget();
    pthread_mutex_unlock(&memory_mutex);
}

uint64_t treefork_choice_generation(void)
{
    return atomic_load(&generation);
}

void treefork_choice_remember(const struct treefork_key *key, const struct treefork_chosen *choice)
{
    struct known_choice *r = malloc(sizeof *r + key->n * sizeof *r->key);
    if (!r)
        return;
    r->choice = *choice;
    r->n = key->n;
    memcpy(r->key, key->at, key->n * sizeof *r->key);
    pthread_mutex_lock(&memory_mutex);
    if (n_remembered == REMEMBERED_MAX)
        memory_clear();
    r->next = buckets[key_bucket(key)];
    buckets[key_bucket(key)] = r;
    n_remembered++;
    pthread_mutex_unlock(&memory_mutex);
}
