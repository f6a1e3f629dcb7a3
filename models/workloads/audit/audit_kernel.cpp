// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Orders on the accounts of a block. Threads have different numbers of orders, each of one of three
// kinds, whose transactions have different bodies: lanes of a warp part before they conflict.

constexpr unsigned most_accounts = 64;

/// An order's first word has its kind in bits 0 and 1, the account that pays in bits 8 to 15, the
/// first that is paid in bits 16 to 23, and how many are paid in bits 24 to 31. The second one is
/// the amount.
enum kind : unsigned { transfer, shares, audit_of_all };

struct order {
    unsigned what;
    unsigned amount;
};

/// One account pays one other.
__forceinline__ void pay(unsigned* held, const order& one) {
    unsigned* const pays = &held[one.what >> 8 & 0xff];
    unsigned* const paid = &held[one.what >> 16 & 0xff];
    heddle::tx_begin();
    *pays -= one.amount;
    *paid += one.amount;
    heddle::tx_commit();
}

/// One account pays several, which stand in a row.
__forceinline__ void pay_shares(unsigned* held, unsigned accounts, const order& one) {
    unsigned* const pays = &held[one.what >> 8 & 0xff];
    const unsigned first = one.what >> 16 & 0xff;
    const unsigned count = one.what >> 24;
    heddle::tx_begin();
    *pays -= one.amount * count;
    for (unsigned i = 0; i < count; ++i) held[(first + i) % accounts] += one.amount;
    heddle::tx_commit();
}

/// The sum of all accounts, which no order changes.
__forceinline__ unsigned sum_of(const unsigned* held, unsigned accounts) {
    unsigned sum = 0;
    heddle::tx_begin();
    for (unsigned i = 0; i < accounts; ++i) sum += held[i];
    heddle::tx_commit();
    return sum;
}

/// Work without a transaction, of as many turns as the amount says.
__forceinline__ unsigned stamped(unsigned receipt, const order& one, unsigned seen) {
    for (unsigned turn = 0; turn <= one.amount % 16; ++turn) receipt = receipt * 5 + seen + turn;
    return receipt;
}

__global__ void audit(unsigned accounts, const unsigned* offsets, const order* orders,
                      unsigned* balances, unsigned* receipts) {
    __shared__ unsigned held[most_accounts];
    unsigned* const own = balances + blockIdx.x * accounts;
    for (unsigned i = threadIdx.x; i < accounts; i += blockDim.x) held[i] = own[i];
    __syncthreads();
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned receipt = 0;
    for (unsigned i = offsets[thread]; i < offsets[thread + 1]; ++i) {
        const order one = orders[i];
        unsigned seen = 0;
        switch (one.what & 3) {
            case transfer:
                pay(held, one);
                break;
            case shares:
                pay_shares(held, accounts, one);
                break;
            default:
                seen = sum_of(held, accounts);
                break;
        }
        receipt = stamped(receipt, one, seen);
    }
    receipts[thread] = receipt;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < accounts; i += blockDim.x) own[i] = held[i];
}
