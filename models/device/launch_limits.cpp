// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/device/kernel_fault.h"
#include "models/device/transaction_cost.h"
#include "models/program/address_map.h"
#include "models/program/kernel.h"

namespace heddle {
namespace {

[[noreturn]] void reject(const program::kernel& kernel, const std::string& why) {
    throw run_error(error_kind::kernel_fault,
                    fmt::format("launch of kernel '{}': {}", kernel.name, why));
}

void limit(const program::kernel& kernel, const char* what, std::uint64_t value,
           std::uint64_t maximum, const char* key) {
    if (value <= maximum) return;
    reject(kernel, fmt::format("{} {} per block; the limit is {} ({})", value, what, maximum, key));
}

void check_transactions(const program::kernel& kernel, std::uint64_t threads,
                        const machine_configuration& machine) {
    if (!machine.tm.enabled) {
        reject(kernel, fmt::format("it has transactions (at PC 0x{:08x}), and this machine has no "
                                   "transactional memory (tm.enabled)",
                                   *kernel.transaction_pc));
    }
    limit(kernel, "threads", threads, transaction_configuration::maximum_items,
          "of a kernel with transactions");
}

/// Bytes of shadow memory beside `shared` bytes.
std::uint64_t shadow_of(const program::kernel& kernel, std::uint64_t shared,
                        const machine_configuration& machine) {
    const std::uint64_t shadow = transaction_cost::shadow_bytes(shared);
    const std::uint64_t available = machine.smx.shared_bytes;
    if (shared + shadow > available) {
        reject(kernel, fmt::format("{} bytes of shared memory and {} of shadow memory for its "
                                   "transactions per block are {} B too large; the limit of both "
                                   "is {} (smx.shared_bytes), which {} bytes of shared memory keep",
                                   shared, shadow, shared + shadow - available, available,
                                   4 * transaction_cost::most_words(available)));
    }
    return shadow;
}

}  // namespace

block_resources check_launch(const program::kernel& kernel, const launch_shape& shape,
                             const machine_configuration& machine) {
    if (shape.grid.count() == 0 || shape.block.count() == 0) {
        reject(kernel, fmt::format("grid {} and block {} must have extents of at least 1",
                                   to_text(shape.grid), to_text(shape.block)));
    }
    constexpr std::uint64_t most_blocks = std::numeric_limits<std::int32_t>::max();
    // Each factor is checked first: three 32-bit extents overflow their 64-bit product.
    if (std::max({shape.grid.x, shape.grid.y, shape.grid.z}) > most_blocks ||
        std::uint64_t{shape.grid.x} * shape.grid.y > most_blocks ||
        shape.grid.count() > most_blocks) {
        reject(kernel,
               fmt::format("grid {} has more than {} blocks", to_text(shape.grid), most_blocks));
    }
    if (kernel.required_block && shape.block != *kernel.required_block) {
        reject(kernel, fmt::format("block {}; its source allows {} only (reqd_work_group_size)",
                                   to_text(shape.block), to_text(*kernel.required_block)));
    }
    if (kernel.most_threads && shape.block.count() > *kernel.most_threads) {
        reject(kernel,
               fmt::format("block {} has {} threads; its source allows {} "
                           "(__launch_bounds__)",
                           to_text(shape.block), shape.block.count(), *kernel.most_threads));
    }
    if (kernel.launch_pc && !machine.launch.enabled) {
        reject(kernel, fmt::format("it launches kernels (at PC 0x{:08x}), and this machine has no "
                                   "launches by kernels (launch.enabled)",
                                   *kernel.launch_pc));
    }
    const std::uint64_t plane = std::uint64_t{shape.block.x} * shape.block.y;
    const std::uint64_t threads = plane > max_threads_per_block ? plane : shape.block.count();
    limit(kernel, "threads", threads, max_threads_per_block, "the architecture's");
    const std::uint64_t charged_threads = round_up(threads, machine.warp_size);
    limit(kernel, "threads in whole warps", charged_threads, machine.smx.max_threads,
          "smx.max_threads");
    if (kernel.transaction_pc) check_transactions(kernel, threads, machine);
    const std::uint64_t registers =
        round_up(kernel.registers, machine.smx.register_granule) * charged_threads +
        (kernel.transaction_pc ? machine.tm.detection.vector_registers : 0);
    limit(kernel, "registers", registers, machine.smx.registers, "smx.registers");
    const std::uint64_t shared =
        shape.dynamic_shared_bytes == 0
            ? kernel.static_shared_bytes
            : round_up(kernel.static_shared_bytes, program::dynamic_shared_alignment) +
                  shape.dynamic_shared_bytes;
    limit(kernel, "bytes of shared memory", shared, machine.smx.shared_bytes, "smx.shared_bytes");
    const std::uint64_t shadow = kernel.transaction_pc ? shadow_of(kernel, shared, machine) : 0;
    if (kernel.stack_bytes && *kernel.stack_bytes > machine.smx.private_bytes) {
        reject(kernel, fmt::format("{} bytes of stack per thread; private memory has {} "
                                   "(smx.private_bytes)",
                                   *kernel.stack_bytes, machine.smx.private_bytes));
    }
    return {static_cast<std::uint32_t>(charged_threads), static_cast<std::uint32_t>(registers),
            static_cast<std::uint32_t>(shared), static_cast<std::uint32_t>(shadow)};
}

}  // namespace heddle
