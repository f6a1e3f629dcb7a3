// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/random.h"

// Random kernels whose barriers, votes and shuffles stand under conditions that are the same for
// all threads, beside conditions that are not. A kernel is a tree, which is printed as source text
// and interpreted by masks of threads.
namespace heddle::iss {

enum class kernel_language { cpp, opencl };

/// What a condition compares. Up to `either` all threads of a block agree.
enum class test_of {
    n_above,
    m_bit,
    flag_above,
    turn_bit,
    own_bit,
    both,
    either,
    thread_bits,
    thread_is_turn,
    thread_and_n,
    sum_bit
};

struct condition {
    test_of what = test_of::n_above;
    std::uint32_t value = 0, other = 0;
};

enum class statement_kind {
    compute,     ///< s = s * 5 + tid * value + i
    own,         ///< u = u * 3 + value + i, the same in all threads
    exchange,    ///< barriers around a write and a read of a shared array
    vote,        ///< s += number of threads whose s has a bit
    shuffle,     ///< s += s of a neighbour
    transact,    ///< total += s & 7 in a transaction, or twice that if s has a bit
    gather,      ///< barriers around a read of total
    everywhere,  ///< as exchange, but the barriers are those of a cooperative kernel
    resize,      ///< so, and behind the first of them blocks end and start
    offer,       ///< the block may end here (a cooperative kernel)
    fork,        ///< blocks may start here (a cooperative kernel)
    add,         ///< sums[value % 4] += s & 15, atomically
    launch,      ///< few threads launch children, which add to sums[4] and sums[5]
    children,    ///< waits for them; s += sums[4]
    branch,      ///< if (when) first else second
    for_loop,    ///< for (i = 0; i < bound; ++i) first
    do_loop,     ///< i = 0; do first while (++i < bound)
    while_loop,  ///< i = 0; while (true) { if (i >= bound) break; ++i; first }
    choose,      ///< switch ((u or s) % 3) { case 0: first; break; case 1: second; default: third }
    call,        ///< s = function(s)
    leave,       ///< out[tid] = s + value; return
    end_loop,    ///< if (when) break
    next_turn    ///< if (when) continue
};

struct statement {
    statement_kind what = statement_kind::compute;
    std::uint32_t value = 0;
    unsigned depth = 0;      ///< loops around it; the number of a loop's own variable
    bool divergent = false;  ///< of a loop or a switch: threads don't agree
    condition when;
    std::vector<statement> first, second, third;
};
using statements = std::vector<statement>;

/// A function of s, u and the kernel's arguments, and what it is called with.
struct kernel_function {
    statements body;
    bool inlined = false;
};

/// What a kernel may do beside barriers. OpenCL C 1.2 has neither.
struct kernel_operations {
    bool votes = true;  ///< and shuffles
    bool transactions = false;
    bool cooperation = false;  ///< the kernel is launched as a cooperative one
    /// Of a cooperative kernel without sums, whose threads do not return early: blocks may start. A
    /// new block does what it would have done from the begin, without waiting for others, up to
    /// where it joins them.
    bool resizing = false;
    bool atomics = false;   ///< on the block's own words of global memory
    bool launches = false;  ///< of kernels and aggregated groups
};

/// Words of global memory that the threads of a block and their children add to, if a kernel has
/// atomics or launches.
inline constexpr unsigned sums_of_block = 8;
/// Threads of a child's block: odd, and more than a warp of 32.
inline constexpr unsigned child_threads = 37;
[[nodiscard]] constexpr bool has_sums(const kernel_operations& has) noexcept {
    return has.atomics || has.launches;
}

struct kernel_tree {
    std::string name;
    kernel_language language = kernel_language::cpp;
    kernel_operations operations;
    std::vector<kernel_function> functions;
    statements body;
};

/// Draws a kernel. All of it is defined for blocks of up to 64 threads: every thread that has not
/// returned comes to each barrier, and no shuffle reads a thread that has returned.
kernel_tree make_random_kernel(random_stream& random, const std::string& name,
                               kernel_language language, const kernel_operations& operations = {});

/// The functions, and the kernel NAME(unsigned n, unsigned m, const unsigned* flags,
/// unsigned* out), with `unsigned* sums` behind them if it has sums. Thread i of the grid writes
/// out[i]. Without #include.
std::string source_text(const kernel_tree& kernel);

struct kernel_arguments {
    std::uint32_t n = 0, m = 0;
    std::array<std::uint32_t, 4> flags{};
};

/// What one block and its children leave.
struct kernel_result {
    std::vector<std::uint32_t> out;
    std::array<std::uint32_t, sums_of_block> sums{};
};
kernel_result result_of(const kernel_tree& kernel, const kernel_arguments& arguments,
                        unsigned threads, unsigned warp_size, unsigned block = 0);

}  // namespace heddle::iss
