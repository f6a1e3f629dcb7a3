// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <vector>

#include "hw/cosim/group_allocator_ports.h"
#include "hw/cosim/stimulus/slot_bench.h"
#include "hw/cosim/stimulus/stimulus.h"

namespace heddle::cosim {

namespace {

/// A request of an entry that is free has no ExeBL, and no request nothing.
void counts(const group_allocator_call& said, group_allocator_call& counts) {
    if (said.operation == group_operation::none) {
        counts.index = 0;
        counts.executing = 0;
    }
    if (said.granted) counts.executing = 0;
}

constexpr unsigned most_groups = group_allocator_call::most_entries;

/// Of a group, all requests come in its order: it has its entry, blocks start, the last one is
/// distributed, blocks end.
class group_allocator_driver {
public:
    explicit group_allocator_driver(const stimulus_target& to)
        : bench_("group_allocator", group_allocator_ports, counts, to),
          coverage_(to.coverage),
          random_(to.random),
          states_(to.coverage.declare(
              {"operation x entry",
               {"none", "allocate", "start_block", "exhaust", "end_block"},
               {"free", "no block runs", "1 block", "more", "exhausted, 1 block",
                "exhausted, more"},
               {{2, 0}, {3, 0}, {4, 0}, {4, 1}, {2, 4}, {2, 5}, {3, 4}, {3, 5}}})),
          sizes_(to.coverage.declare(
              {"size x", {"1", "2", "4 to 2048", "4096"}, {"granted", "refused", "released"}})) {
        // ExeBL has 32 bits; a group of 256 blocks shows eight of them.
        to.coverage.expect("executing", 8);
    }

    void run(unsigned steps) {
        for (unsigned n = 0; n < steps; ++n) {
            if (n % 2000 == 0) reset();
            step();
        }
    }

private:
    struct entry {
        bool used = false, exhausted = false;
        unsigned running = 0;
    };

    void reset() {
        // The largest one first: few steps reach each of its bits.
        const unsigned sizes[] = {most_groups, 1, 8, 2, 64, 2048, 4};
        size_ = sizes[resets_++ % 7];
        call_ = {};
        call_.mask = static_cast<std::uint16_t>(size_ - 1);
        bench_.reset(call_);
        entries_.assign(size_, {});
        live_.clear();
    }
    void step() {
        call_.operation = static_cast<group_operation>(random_.below(5));
        call_.thread = static_cast<std::uint16_t>(random_.below(most_groups));
        call_.entry = static_cast<std::uint16_t>(random_.below(size_));
        // Mostly an entry in use: of a large table others are found seldom. One of them gets many
        // blocks.
        if (!live_.empty() && random_.below(8) != 0) {
            call_.entry = live_[random_.below(2) == 0 ? 0 : random_.below(live_.size())];
            if (random_.below(8) == 0) call_.thread = call_.entry;
        }
        const entry& before = entries_[call_.entry];
        const bool first = !live_.empty() && call_.entry == live_[0];
        if (first && call_.operation == group_operation::exhaust && before.running < 256 &&
            random_.below(64) != 0) {
            call_.operation = group_operation::start_block;
        }
        const bool allocates = call_.operation == group_operation::allocate;
        const bool ends = call_.operation == group_operation::end_block;
        if (!allocates && (!before.used || (ends ? before.running == 0 : before.exhausted))) {
            call_.operation = group_operation::none;
        }
        take();
    }
    void take() {
        const unsigned of =
            call_.operation == group_operation::allocate ? call_.thread & (size_ - 1) : call_.entry;
        const entry before = entries_[of];
        port_coverage& to = coverage_;
        to.add(states_, static_cast<unsigned>(call_.operation),
               !before.used
                   ? 0
                   : (before.exhausted ? 3 : 1) + (before.running < 2 ? before.running : 2U));
        const std::uint64_t how = random_.below(16);
        if (how == 0) {
            bench_.ask(call_);
            return;
        }
        if (how == 1) {
            bench_.idle(call_);
            return;
        }
        const group_allocator_call said = bench_.clock(call_);
        const unsigned size = size_ == 1 ? 0 : size_ == 2 ? 1 : size_ < most_groups ? 2 : 3;
        if (call_.operation == group_operation::allocate)
            to.add(sizes_, size, said.granted ? 0 : 1);
        if (said.released) to.add(sizes_, size, 2);
        entry& e = entries_[of];
        if (said.granted) {
            e = {true, false, 0};
            live_.push_back(static_cast<std::uint16_t>(of));
        }
        if (call_.operation == group_operation::start_block) ++e.running;
        if (call_.operation == group_operation::end_block) --e.running;
        if (call_.operation == group_operation::exhaust) e.exhausted = true;
        if (!e.used || !e.exhausted || e.running != 0) return;
        e = {};
        for (std::size_t n = 0; n < live_.size(); ++n) {
            if (live_[n] != of) continue;
            live_[n] = live_.back();
            live_.pop_back();
            return;
        }
    }

    slot_bench<group_allocator_call> bench_;
    port_coverage& coverage_;
    random_stream& random_;
    const std::size_t states_, sizes_;
    group_allocator_call call_;
    unsigned size_ = 0, resets_ = 0;
    std::vector<entry> entries_;
    std::vector<std::uint16_t> live_;  ///< entries in use
};

}  // namespace

void drive_group_allocator(const stimulus_target& to) {
    group_allocator_driver(to).run(to.steps);
}

}  // namespace heddle::cosim
