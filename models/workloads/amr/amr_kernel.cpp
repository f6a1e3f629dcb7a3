// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/amr/amr_field.h"
#include "models/workloads/pocket_kernel.h"

// Adaptive mesh refinement: a thread a cell of the coarse mesh. A cell in which the heat changes
// steeply becomes a patch of 8 x 8 smaller cells, which may be refined in turn.

/// What all cells share. `patches` has x, y and size of the cell that each patch refines, `values`
/// the heat of its cells, row by row.
struct mesh {
    const amr::flame* flames;
    unsigned flame_count;
    unsigned limit;
    unsigned* patch_count;
    unsigned* patches;
    unsigned* values;
    heddle::pockets::limits pockets;
};

constexpr unsigned cells = amr::side * amr::side;

template <class Mode>
__noinline__ void refine(const mesh& whole, unsigned x, unsigned y, unsigned size);

/// The heat of a cell, which is refined if it has to be.
template <class Mode>
__forceinline__ unsigned visit_cell(const mesh& whole, unsigned x, unsigned y, unsigned size) {
    const unsigned middle = amr::heat(whole.flames, whole.flame_count, x + size / 2, y + size / 2);
    if (size >= amr::side &&
        amr::is_steep(whole.flames, whole.flame_count, x, y, size, middle, whole.limit))
        refine<Mode>(whole, x, y, size);
    return middle;
}

/// Cell i of patch `patch`, which refines the cell of `size` at (x, y).
template <class Mode>
__forceinline__ void visit_part(const mesh& whole, unsigned patch, unsigned x, unsigned y,
                                unsigned size, unsigned i) {
    const unsigned part = size / amr::side;
    whole.values[patch * cells + i] =
        visit_cell<Mode>(whole, x + i % amr::side * part, y + i / amr::side * part, part);
}

/// A thread a cell of a patch.
template <class Mode>
__forceinline__ void amr_patch(unsigned patch, unsigned x, unsigned y, unsigned size, mesh whole) {
    const unsigned i = heddle::pockets::thread_number();
    if (i < cells) visit_part<Mode>(whole, patch, x, y, size, i);
}
HEDDLE_ENTRIES(amr_patch, (unsigned patch, unsigned x, unsigned y, unsigned size, mesh whole),
               (patch, x, y, size, whole))

HEDDLE_ENTRY_BY_MODE(amr_patch)

template <class Mode>
__noinline__ void refine(const mesh& whole, unsigned x, unsigned y, unsigned size) {
    const unsigned patch = atomicAdd(whole.patch_count, 1u);
    whole.patches[3 * patch] = x;
    whole.patches[3 * patch + 1] = y;
    whole.patches[3 * patch + 2] = size;
    const unsigned handed = heddle::pockets::hand_on<Mode>(whole.pockets, cells, amr_patch_of<Mode>,
                                                           patch, x, y, size, whole);
    for (unsigned i = handed; i < cells; ++i) visit_part<Mode>(whole, patch, x, y, size, i);
}

/// A thread a cell of the coarse mesh, which has `across` cells of `size` in each row.
template <class Mode>
__forceinline__ void amr_mesh(unsigned across, unsigned size, const amr::flame* flames,
                              unsigned flame_count, unsigned limit, unsigned* coarse,
                              unsigned* patch_count, unsigned* patches, unsigned* values,
                              heddle::pockets::limits pockets) {
    const mesh whole{flames, flame_count, limit, patch_count, patches, values, pockets};
    for (unsigned i = heddle::pockets::thread_number(); i < across * across;
         i += heddle::pockets::threads_of_grid()) {
        coarse[i] = visit_cell<Mode>(whole, i % across * size, i / across * size, size);
    }
}
HEDDLE_ENTRIES(amr_mesh,
               (unsigned across, unsigned size, const amr::flame* flames, unsigned flame_count,
                unsigned limit, unsigned* coarse, unsigned* patch_count, unsigned* patches,
                unsigned* values, heddle::pockets::limits pockets),
               (across, size, flames, flame_count, limit, coarse, patch_count, patches, values,
                pockets))
