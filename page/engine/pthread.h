#ifndef TREEFORK_PAGE_PTHREAD_H
#define TREEFORK_PAGE_PTHREAD_H
/* What runtime/internal.h names of POSIX threads. The page has one thread, so nothing is locked. */
typedef int pthread_mutex_t;
typedef int pthread_cond_t;
typedef int pthread_once_t;
typedef int pthread_t;
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0
static inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}
#endif
