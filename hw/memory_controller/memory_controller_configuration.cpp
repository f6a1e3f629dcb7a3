// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/memory_controller_configuration.h"

#include "hw/memory_controller/request_schedulers.h"

namespace heddle {

void memory_controller_configuration::declare(parameter_list& p) {
    // Of 48 address bits the column has the lowest three at least and 24 at most, the row one at
    // least, the banks six at most.
    constexpr std::int64_t low_bits = 7;
    constexpr std::int64_t all_bits = (std::int64_t{1} << 48) - 1;
    constexpr std::int64_t highest_banks = std::int64_t{0x3f} << 42;
    constexpr std::int64_t highest_columns = (std::int64_t{0x1f'ffff} << 27) | low_bits;
    p.add("scheduler", scheduler, request_schedulers::names(),
          "Order of the accesses of a channel: " + request_schedulers::description());
    p.add("queue", queue, range(1, 1024), "access",
          "Column accesses, reads and writes together, that a channel can choose from")
        .larger_is_better();
    p.add("write_high_watermark", write_high_watermark, range(1, 1024), "access",
          "Number of waiting writes at which fr_fcfs turns from reads to writes");
    p.add("write_low_watermark", write_low_watermark, range(0, 1024), "access",
          "Number of waiting writes at which fr_fcfs turns back to reads, if a read waits");
    p.add("age_limit", age_limit, range(1, 1'000'000'000), "cycle",
          "Age from which an access has priority over open rows and over the drain of writes "
          "(fr_fcfs)");
    p.add("response_queue", response_queue, range(1, 4096), "access",
          "Accesses that can be on the data bus or wait for their requester")
        .larger_is_better();
    p.add("front_latency", front_latency, range(0, 10'000), "cycle",
          "Time of an access from the L2 bank's link to the queue of the memory controller; "
          "accesses overlap")
        .smaller_is_better();
    p.add(
         "back_latency", back_latency, range(0, 10'000), "cycle",
         "Time of an access from the data bus through the memory controller to the L2 bank's link; "
         "accesses overlap")
        .smaller_is_better();
    p.add("access_granularity", access_granularity, one_of({8, 16, 32, 64, 128}), "byte",
          "Data of one column access");
    p.add("bank_groups", bank_groups, one_of({1, 2, 4, 8}), "group",
          "Bank groups of a channel; bank b belongs to group b modulo their number")
        .larger_is_better();
    p.add("row_mask", row_mask, range(low_bits + 1, all_bits - low_bits), "",
          "Address bits of the row");
    p.add("bank_mask", bank_mask, range(0, highest_banks), "", "Address bits of the bank");
    p.add("column_mask", column_mask, range(low_bits, highest_columns), "",
          "Address bits of the column, counted in bytes");
    p.nest("timing", timing);
    p.require({"row_mask", "bank_mask", "column_mask", "access_granularity"},
              "each address bit is in exactly one of row_mask, bank_mask and column_mask",
              [this] { return address_decoder(masks(), access_granularity).bytes() != 0; });
    p.require({"bank_groups", "bank_mask"}, "there are at least as many banks as bank groups",
              [this] { return bank_groups <= banks(); });
    p.require(
        {"write_low_watermark", "write_high_watermark", "queue"},
        "write_low_watermark is below write_high_watermark, and write_high_watermark at most queue",
        [this] {
            return write_low_watermark < write_high_watermark && write_high_watermark <= queue;
        });
}

}  // namespace heddle
