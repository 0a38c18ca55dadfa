/* Clusters of colours: S. P. Lloyd, Least squares quantization in PCM, IEEE Transactions on
 * Information Theory 28 (1982). */
#ifndef KMEANS_H
#define KMEANS_H

#include "example.h"

enum { MOST_COLOURS = 256, MOST_ROUNDS = 200 };

typedef struct clusters {
    int count;
    int32_t centres[MOST_COLOURS][3]; /* red, green, blue */
    int rounds;                       /* until no centre moved, MOST_ROUNDS at most */
    int64_t error;                    /* sum of the squares of distances to centres */
} clusters;

/* Finds c->count centres of the colours of a picture, and gives each point that of its cluster.
 * What is computed with are whole numbers, so the result is the same on any device. */
bool kmeans(const example *e, picture *p, clusters *c);

#endif
