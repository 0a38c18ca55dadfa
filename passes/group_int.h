/*
 * The parts of pass group, in the order in which they work: what differs between work-items
 * (group_vary.c), sub-groups (group_lanes.c), control flow around barriers that all of a group take
 * (group_mask.c), the loops over work-items (group_region.c), where variables live (group_keep.c),
 * and the function around it all (group.c). What they make of variables and memory: group_make.c.
 */
#ifndef CPL_GROUP_INT_H
#define CPL_GROUP_INT_H

#include "passes/pass_int.h"

enum { GROUP_ALIGNMENT = 64 }; /* of what lies in a worker's memory, bytes */

/* A run of statements without a barrier, which becomes a nest of loops over the work-items. */
typedef struct group_region {
    ir_block *body;     /* of the innermost loop */
    VEC(ir_var *) uses; /* variables of the kernel that it uses */
    VEC(ir_node *) ins; /* behind the nest, `v = v` for uniform variables that the body assigns */
    bool repeats;       /* in a loop that the group runs together */
    cpl_span span;
} group_region;

/* What is known of a variable of the kernel (ir_var.user). */
typedef struct group_var {
    bool varying;    /* between the work-items of a group */
    bool addressed;  /* its address is taken */
    bool together;   /* used between regions */
    bool exposed;    /* a region may read what it held before */
    uint32_t count;  /* regions that use it */
    uint32_t region; /* the last of them */
    ir_var *memory;  /* kept between regions: a pointer to where */
    uint32_t writes;
    const ir_node *value; /* that the last of them assigns; NULL: a loop counts with it */
    enum { GROUP_UNKNOWN, GROUP_ASKED, GROUP_STABLE } stable; /* see group_keep.c */
    ir_var *image; /* what stands for it in the region at hand; NULL: itself */
} group_var;

typedef struct group {
    ir_module *m;
    ir_func *f;
    bool checks;           /* the extent of a pointer is read where the pointer is */
    bool planes;           /* the kernel asks for places in the second and third dimension */
    ir_block *setup;       /* what a worker does once */
    ir_block *body;        /* what it does for each group: the kernel */
    ir_var *grid, *memory; /* cpl_grid; the worker's memory */
    ir_var *item[IR_DIMS], *items[IR_DIMS], *group[IR_DIMS], *groups[IR_DIMS]; /* int64 */
    ir_var *row; /* the linear index of a work-item without item[0] */
    /* the worker's distance from the first one; in its memory, where that of items begins; items of
     * a group, rounded up */
    ir_var *stride, *kept, *padded;
    VEC(group_region *) regions;
    uint64_t group_bytes, item_bytes; /* of memory, so far */
} group;

static inline const cpl_type *group_i64(const group *g)
{
    return comp_scalar(g->m->comp, CPL_INT64);
}

static inline group_var *group_of(const ir_var *v) /* NULL: a parameter, or local */
{
    return v->user;
}

/* group_make.c */
/* Has the variable known to the pass. */
void group_know(group *g, ir_var *v);
ir_var *group_new_var(group *g, const char *name, const cpl_type *type, cpl_span span);
ir_node *group_bool(group *g, bool value, cpl_span span);
/* Has another variable count, from which the loop's is set. */
void group_count_apart(group *g, ir_node *loop);
/* the linear index of the work-item at hand, int64 */
ir_node *group_item(group *g, cpl_span span);
/* A pointer variable, set up once, to so much memory of the group's, or of each of its items. */
ir_var *group_reserve(group *g, const char *name, const cpl_type *type, type_space space, bool each,
                      cpl_span span);
/* A variable that a worker sets once. */
ir_var *group_set_up(group *g, const char *name, ir_node *value);
/* p as a pointer to type, in space */
ir_node *group_pointer(group *g, const cpl_type *type, type_space space, ir_node *p);
/* the element that lies distance behind that at p */
ir_node *group_at(group *g, ir_node *p, ir_node *distance);

/* group_vary.c */
void group_vary(group *g);
bool group_varies(const ir_node *n);
/* Work-items part in the loop: its bounds or condition, or ways out of it, differ between them.
 * masked: some do not run it, so what it loads means nothing to them. */
bool group_parts(const ir_node *loop, bool masked);
/* Differs, or must not be asked for those who are not there. */
static inline bool group_differs(const ir_node *n, bool masked)
{
    return group_varies(n) || (masked && ir_has_load(n));
}

/* group_lanes.c */
void group_lanes(group *g);

/* group_mask.c */
void group_mask(group *g);
/* Barriers, and jumps out of the loop around: what splits a region, in a block where such a loop
 * is one that the group runs together. */
bool group_splits(const ir_node *n);

/* group_region.c */
void group_regions(group *g);
/* body, which it takes, for each work-item */
ir_node *group_nest(group *g, ir_block *body, cpl_span span);

/* group_keep.c */
void group_keep(group *g);

#endif
