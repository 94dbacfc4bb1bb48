/* A user's header whose macros are names that the mapped text would take. */
#define B0 7
#define bi 3
#define ti 2
