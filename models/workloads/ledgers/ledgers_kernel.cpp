// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/child_launch_kernel.h"

// Books of transfers between the accounts of each. A transfer is a word: the account that pays in
// bits 0 to 7, the one that is paid in bits 8 to 15, the amount above.

constexpr unsigned most_accounts = 64;

/// A block posts a book: each transfer is a transaction on the accounts in shared memory.
__global__ void ledgers_book(unsigned first, unsigned end, unsigned accounts,
                             const unsigned* transfers, unsigned* balances) {
    __shared__ unsigned held[most_accounts];
    for (unsigned i = threadIdx.x; i < accounts; i += blockDim.x) held[i] = balances[i];
    __syncthreads();
    for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x) {
        const unsigned transfer = transfers[i];
        unsigned* const pays = &held[transfer & 0xff];
        unsigned* const paid = &held[transfer >> 8 & 0xff];
        heddle::tx_begin();
        const unsigned before = *pays;
        const unsigned other = *paid;
        *pays = before - (transfer >> 16);
        *paid = other + (transfer >> 16);
        heddle::tx_commit();
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < accounts; i += blockDim.x) balances[i] = held[i];
}

/// A thread a book: it hands a book with many transfers on, and posts the others itself.
template <class Mode>
__forceinline__ void ledgers(unsigned books, unsigned threshold, unsigned block, unsigned accounts,
                             const unsigned* offsets, const unsigned* transfers,
                             unsigned* balances) {
    const unsigned book = blockIdx.x * blockDim.x + threadIdx.x;
    if (book >= books) return;
    const unsigned first = offsets[book];
    const unsigned end = offsets[book + 1];
    unsigned* const own = balances + book * accounts;
    if (Mode::launches && end - first >= threshold) {
        const heddle::launch_shape shape{dim3(1), dim3(block), 0};
        if (Mode::launch(ledgers_book, shape, first, end, accounts, transfers, own) ==
            heddle::no_error)
            return;
    }
    for (unsigned i = first; i < end; ++i) {
        const unsigned transfer = transfers[i];
        own[transfer & 0xff] -= transfer >> 16;
        own[transfer >> 8 & 0xff] += transfer >> 16;
    }
}
HEDDLE_ENTRIES(ledgers,
               (unsigned books, unsigned threshold, unsigned block, unsigned accounts,
                const unsigned* offsets, const unsigned* transfers, unsigned* balances),
               (books, threshold, block, accounts, offsets, transfers, balances))
