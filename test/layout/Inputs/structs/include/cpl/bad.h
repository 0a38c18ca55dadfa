typedef struct cpl_known {
    size_t size; /* sizeof(cpl_known) */
} cpl_known;
typedef struct cpl_forgotten {
    size_t size; /* sizeof(cpl_forgotten) */
    int more;
} cpl_forgotten;
typedef struct cpl_made {
    size_t size; /* sizeof(cpl_made) of the library that made it */
} cpl_made;
typedef struct cpl_held {
    int one;
} cpl_held;
typedef struct cpl_loose {
    int one;
} cpl_loose;
