// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/l2/partition.h"
#include "models/base/parameter.h"

namespace heddle {

/// The second-level cache, keys `l2.`. Sizes are of the whole cache, the rest of each bank.
struct l2_configuration {
    std::uint32_t size = 1'310'720;
    std::uint32_t banks = 5;
    std::uint32_t ways = 16;
    std::uint32_t line = 128;
    std::uint32_t sector = 32;
    std::uint32_t interleave = 256;
    bool hash = false;
    std::uint32_t hit_latency = 30;
    std::uint32_t port_bytes = 128;
    std::uint32_t atomic_lanes = 64;
    std::uint32_t atomic_interval = 0;
    std::uint32_t mshrs = 64;
    std::uint32_t mshr_targets = 16;
    std::uint32_t queue = 8;
    std::uint32_t response_queue = 64;
    std::uint32_t write_buffer = 16;

    void declare(parameter_list& p) {
        p.add("size", size, range(0, 1 << 30), "byte",
              "Capacity of all L2 banks together; 0: no cache, a bank keeps only lines under way")
            .larger_is_better(1 << 26);
        p.add("banks", banks, range(1, 128), "bank", "L2 banks; each has a memory port of its own")
            .more_is_better();
        p.add("ways", ways, range(1, 64), "line", "Lines in a set of an L2 bank")
            .larger_is_better();
        p.add("line", line, one_of({32, 64, 128}), "byte", "Line of L2; no access is larger");
        p.add("sector", sector, one_of({32, 64, 128}), "byte",
              "Sector of an L2 line: unit of the traffic with memory");
        p.add("interleave", interleave, range(32, 1 << 20), "byte",
              "Consecutive bytes of the address space that belong to one L2 bank");
        p.add("hash", hash,
              "L2 banks take turns in another order in each round, against partition camping");
        p.add("hit_latency", hit_latency, range(1, 1000), "cycle",
              "Latency of an L2 hit, from the access to its response; accesses overlap")
            .smaller_is_better();
        p.add("port_bytes", port_bytes, one_of({16, 32, 64, 128}), "byte",
              "Data that an L2 bank reads or writes in a cycle; an access of more keeps the bank "
              "for "
              "several cycles")
            .larger_is_better();
        p.add("atomic_lanes", atomic_lanes, range(1, 64), "lane",
              "Lanes of an atomic access that the atomic unit of an L2 bank serves in a cycle")
            .larger_is_better();
        p.add("atomic_interval", atomic_interval, range(0, 64), "cycle",
              "Time that the atomic unit of an L2 bank needs for each lane that names the same "
              "word; 0: "
              "all of them at once")
            .smaller_is_better();
        p.add("mshrs", mshrs, range(1, 1024), "line",
              "Miss registers of an L2 bank: lines that it can fetch at a time")
            .larger_is_better();
        p.add("mshr_targets", mshr_targets, range(1, 1024), "access",
              "Accesses to an L2 line that can wait for one fetch, the first access included")
            .larger_is_better();
        p.add("queue", queue, range(1, 1024), "access", "Accesses that can wait for an L2 bank")
            .larger_is_better();
        p.add("response_queue", response_queue, range(1, 4096), "access",
              "Accesses that can be in the pipeline of an L2 bank or wait for the network")
            .larger_is_better();
        p.add("write_buffer", write_buffer, range(1, 1024), "line",
              "Evicted lines of an L2 bank that can wait for memory")
            .larger_is_better();
        p.require({"sector", "line"}, "l2.sector is at most l2.line",
                  [this] { return sector <= line; });
        p.require({"interleave", "line"}, "l2.interleave is a multiple of l2.line",
                  [this] { return interleave % line == 0; });
        p.require({"size", "banks", "ways", "line"},
                  "l2.size is a multiple of l2.banks * l2.ways * l2.line",
                  [this] { return size % (std::uint64_t{banks} * ways * line) == 0; });
    }
    [[nodiscard]] l2_partition partition() const noexcept { return {banks, interleave, hash}; }
};

}  // namespace heddle
