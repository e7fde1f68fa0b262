/* SPDX-License-Identifier: MIT */
/* Disjoint sets as a forest [R. E. Tarjan, J. ACM 22, 1975]: parent[node] is another of its set, or
 * the root itself. */
#ifndef LN_BASE_FOREST_H
#define LN_BASE_FOREST_H

/* The root of a node's set; halves the path on the way. */
static inline int ln_root_of(int *parent, int node) {
    while (parent[node] != node)
        node = parent[node] = parent[parent[node]];
    return node;
}

#endif
