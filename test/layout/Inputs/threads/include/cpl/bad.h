/* Functions with a rule and without. */
/* Says so. Any thread. */
CPL_API int cpl_says(void);
CPL_API int cpl_shares(void);
/* A struct ends that. */
typedef struct cpl_pair {
    int a;
    int b;
} cpl_pair;
/* Is used by one thread at a time. */
CPL_API int cpl_one(void);
/* Says nothing; a thread of its own is no rule. */
CPL_API int cpl_silent(void);
/* Nor does this. */
CPL_API int cpl_silent_too(int a,
                           int b);
/* The
 * calling
 * thread alone. */
CPL_API int cpl_broken_lines(void);
