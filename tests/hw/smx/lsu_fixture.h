// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tb/lsu/lsu_rig.h"

namespace heddle {

inline constexpr std::uint32_t heap = 0x40000000;
inline constexpr std::uint32_t shared_base = 0x10000000;
inline constexpr std::uint32_t private_base = 0x20000000;
inline constexpr isa::lane_mask all_32 = 0xffffffff;

/// A load-store unit before a memory, and a script of accesses in place of a pipeline.
class lsu_fixture : public testing::Test {
protected:
    using lane_function = std::function<std::uint32_t(unsigned)>;
    struct outcome {
        std::uint64_t accepted = 0;   ///< edge
        std::uint64_t completed = 0;  ///< edge; 0: not yet
        std::array<std::uint32_t, 64> value{};
        isa::lane_mask lanes = 0;  ///< that have got a value
        std::string fault;
    };

    static constexpr std::uint32_t heap_bytes = 1u << 20;

    void build(const lsu_rig_options& options) {
        domain = std::make_unique<clock_domain>("core", frequency::megahertz(706));
        rig = std::make_unique<lsu_rig>("rig", *domain, options);
        (void)rig->ranges.allocate(heap_bytes, "heap");
        rig->ranges.place({0xc0000000, 0x1000, true, "parameters", true});
        rig->ranges.place({0x00010000, 0x1000, false, "program code", true});
        rig->step = [this](lsu_rig&) { return issue_next(); };
        rig->tell.loaded = [this](const memory_flight& flight, isa::lane_mask lanes,
                                  const std::uint32_t* values) {
            outcome& o = results[flight.number.value()];
            EXPECT_EQ(o.lanes & lanes, 0u);
            o.lanes |= lanes;
            bits::for_each(lanes, [&](unsigned lane) { o.value[lane] = values[lane]; });
        };
        rig->tell.completed = [this](const memory_flight& flight) {
            outcome& o = results[flight.number.value()];
            EXPECT_EQ(o.completed, 0u);
            EXPECT_EQ(flight.group.as<warp_slot>().value(), script[flight.number.value()].warp);
            EXPECT_EQ(flight.instruction, &script[flight.number.value()].instruction);
            o.completed = rig->edge();
        };
        rig->tell.drained = [this](access_owner owner) { drained.push_back(owner.value()); };
    }

    /// Appends an access; it is issued as soon as the queue has room. Returns its number. `change`
    /// may make of the warp's access in place another one.
    std::size_t access(std::uint32_t match, unsigned warp, isa::lane_mask lanes,
                       lane_function address, lane_function data = {}, lane_function compare = {},
                       std::function<void(memory_instruction&)> change = {}) {
        const auto tag = script.size();
        const bool store = match == encoding::sw || match == encoding::sh || match == encoding::sb;
        script.push_back({access_instruction(match, store ? 0 : 1), warp, lanes, std::move(address),
                          std::move(data), std::move(compare), std::move(change)});
        results.emplace_back();
        rig->wake();
        return tag;
    }
    /// The same, and runs until nothing moves any more.
    outcome& now(std::uint32_t match, unsigned warp, isa::lane_mask lanes, lane_function address,
                 lane_function data = {}, lane_function compare = {}) {
        const std::size_t tag =
            access(match, warp, lanes, std::move(address), std::move(data), std::move(compare));
        settle();
        return results[tag];
    }
    void settle() { sc_core::sc_start(); }
    /// Runs for some cycles.
    void run(std::uint64_t cycles) {
        const auto half = sc_core::sc_time(domain->edge_time(1)) / 2;
        sc_core::sc_start(domain->edge_time(domain->edge() + cycles) + half -
                          sc_core::sc_time_stamp());
    }

    [[nodiscard]] std::uint64_t fails(reservation_fail cause) {
        return rig->unit().report().reservation_fails(cause, domain->edge_count());
    }
    [[nodiscard]] const l1_data_cache_counters& cache() {
        return rig->unit().report().cache_counters();
    }

    std::unique_ptr<clock_domain> domain;
    std::unique_ptr<lsu_rig> rig;
    std::deque<outcome> results;
    std::vector<std::string> faults;
    std::vector<unsigned> drained;
    bool loads_constants = false;  ///< what the program says of loads

private:
    struct scripted {
        isa::instruction instruction;
        unsigned warp;
        isa::lane_mask lanes;
        lane_function address, data, compare;
        std::function<void(memory_instruction&)> change;
    };

    bool issue_next() {
        while (next < script.size() && rig->unit().can_accept()) {
            const scripted& s = script[next];
            memory_instruction& m = rig->prepare(s.instruction, warp_slot(s.warp), s.lanes);
            for (unsigned lane = 0; lane < 64; ++lane) {
                m.address[lane] = s.address(lane);
                m.data[lane] = s.data ? s.data(lane) : 0xdeadbeef;
                m.compare[lane] = s.compare ? s.compare(lane) : 0;
            }
            m.flight.number = issue_number(next);
            m.loads_constants =
                loads_constants && s.instruction.cls == isa::instruction_class::load;
            if (s.change) s.change(m);
            results[next].accepted = rig->edge();
            if (const auto fault = rig->unit().accept()) {
                results[next].fault = fault->what;
                faults.push_back("lane " + std::to_string(fault->lane) + ": " + fault->what);
            }
            ++next;
        }
        return next < script.size();
    }

    std::deque<scripted> script;
    std::size_t next = 0;
};

/// Every lane the same address; consecutive words.
inline std::function<std::uint32_t(unsigned)> at(std::uint32_t address) {
    return [address](unsigned) { return address; };
}
inline std::function<std::uint32_t(unsigned)> words_from(std::uint32_t address,
                                                         std::uint32_t stride = 4) {
    return [=](unsigned lane) { return address + stride * lane; };
}

}  // namespace heddle
