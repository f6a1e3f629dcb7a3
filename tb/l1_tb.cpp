// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the load-store unit and its data cache: random accesses of many warps to global,
// private and shared memory before a memory that answers out of order and stalls. Each thread owns
// some words of every window, in lines that it shares with others, and has to see its own stores
// in program order, and memory has to have them at fences and at the end. Some of the words between
// them are another SMX's, and stay as it left them. Beside that: counters that another SMX
// advances, which ldcg and loads after a fence must not see go back; atomic counters whose sum is
// known; blocks that end.
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/base/bits.h"
#include "tb/kit/testbench.h"
#include "tb/lsu/lsu_rig.h"
#include "tb/lsu/random_rig.h"

namespace {

using namespace heddle;
using isa::lane_mask;

constexpr unsigned warps = 16;
constexpr unsigned registers = 8;
constexpr unsigned slots = 8;  ///< words of each thread in each window
constexpr std::uint32_t global_base = 0x40000000;
constexpr std::uint32_t counter_base = 0x48000000;  ///< 32 atomic counters
constexpr std::uint32_t foreign_base = 0x49000000;  ///< 32 words that another SMX counts up

enum class window : std::uint8_t { global, shared, of_thread };

/// What a register of a warp waits for.
struct expectation {
    bool busy = false;
    isa::instruction instruction;
    lane_mask lanes = 0;    ///< that have not got their value
    lane_mask checked = 0;  ///< whose value is known
    bool at_least = false;  ///< values may be newer than expected
    std::array<std::uint32_t, 64> value{};
};

struct reference_word {
    std::uint32_t value = 0;
    std::uint8_t known = 0xf;  ///< bytes; none of a new block's stack
};

class traffic {
public:
    traffic(testbench& bench, lsu_rig& rig, std::uint64_t accesses)
        : bench_(bench),
          rig_(rig),
          random_(bench.random("traffic")),
          issue_stalls_(bench.stalls("issue")),
          left_(accesses),
          lanes_(rig.options().lanes) {
        rig.ranges.place({global_base, 0x100000, true, "words", true});
        rig.ranges.place({counter_base, 0x1000, true, "counters", true});
        rig.ranges.place({foreign_base, 0x1000, true, "foreign", true});
        stores_ = {access_instruction(encoding::sb), access_instruction(encoding::sh),
                   access_instruction(encoding::sw)};
        for (auto& per_window : words_) {
            per_window.assign(std::size_t{warps} * lanes_ * slots, {});
        }
        for (unsigned warp = 0; warp < warps; ++warp) end_block(warp);
        rig.step = [this](lsu_rig&) { return step(); };
        rig.tell.loaded = [this](const memory_flight& flight, lane_mask lanes,
                                 const std::uint32_t* values) { loaded(flight, lanes, values); };
        rig.tell.completed = [this](const memory_flight& flight) { completed(flight); };
        rig.tell.drained = [this](access_owner owner) {
            if (left_ == 0) rig_.wake();
            bench_.check(rig_.unit().outstanding_writes(owner) == 0,
                         "drained with writes outstanding");
        };
    }

    /// At the good end: memory has all that was stored, and every atomic has counted once.
    void check_end() {
        for (unsigned warp = 0; warp < warps; ++warp) check_memory(warp);
        for (unsigned i = 0; i < others_.size(); ++i) {
            bench_.check(rig_.memory.word(other_address(i)) == others_[i],
                         "a word of another SMX was overwritten");
        }
        for (unsigned i = 0; i < counted_.size(); ++i) {
            bench_.check(rig_.memory.word(counter_base + 4 * i) == counted_[i],
                         "counter " + std::to_string(i) + " is " +
                             std::to_string(rig_.memory.word(counter_base + 4 * i)) +
                             ", expected was " + std::to_string(counted_[i]));
        }
    }

private:
    reference_word& word(window w, unsigned warp, unsigned lane, unsigned slot) {
        return words_[static_cast<unsigned>(w)][(std::size_t{slot} * warps + warp) * lanes_ + lane];
    }
    /// Neighbouring threads own neighbouring words. In global memory each eighth word is another
    /// SMX's.
    [[nodiscard]] std::uint32_t address(window w, unsigned warp, unsigned lane,
                                        unsigned slot) const {
        const std::uint32_t thread = (slot * warps + warp) * lanes_ + lane;
        switch (w) {
            case window::global:
                return global_base + 4 * (thread / 7 * 8 + thread % 7);
            case window::shared:
                return 0x10000000 + 4 * thread;
            default:
                return 0x20000000 + 4 * slot;
        }
    }

    /// Rests for a quarter of the time, so that everybody falls asleep with misses under way.
    static constexpr std::uint64_t period = 2048;
    static constexpr std::uint64_t rest = 512;

    bool step() {
        const std::uint64_t now = rig_.edge();
        if (left_ == 0) {
            if (idle()) bench_.finish();
            // An answer calls again.
            return rig_.unit().maintenance().write_back(owner_set(bits::below(warps)));
        }
        if (now % period < rest) {
            rig_.wake_at(now - now % period + rest);
            return false;
        }
        if (!rig_.unit().can_accept()) return false;
        if (issue_stalls_.stalled(now)) return true;
        if (random_.chance(0.25)) advance_foreign();
        issue(static_cast<unsigned>(random_.below(warps)));
        return true;
    }
    /// Another SMX stores.
    void advance_foreign() {
        const auto which = static_cast<unsigned>(random_.below(32));
        rig_.memory.set_word(foreign_base + 4 * which, ++foreign_[which]);
        const auto between = static_cast<unsigned>(random_.below(others_.size()));
        rig_.memory.set_word(other_address(between), ++others_[between]);
    }
    [[nodiscard]] static std::uint32_t other_address(unsigned index) noexcept {
        return global_base + 4 * (8 * index + 7);
    }
    [[nodiscard]] bool idle() {
        for (unsigned warp = 0; warp < warps; ++warp) {
            if (rig_.unit().outstanding_instructions(access_owner(warp)) != 0 ||
                rig_.unit().outstanding_writes(access_owner(warp)) != 0) {
                return false;
            }
        }
        return true;
    }

    lane_mask some_lanes() {
        const lane_mask all = bits::below(lanes_);
        if (random_.chance(0.4)) return all;
        const lane_mask some = random_.next() & (random_.chance(0.5) ? all : random_.next()) & all;
        return some != 0 ? some : 1;
    }

    void issue(unsigned warp) {
        const std::uint64_t kind = random_.below(100);
        if (kind < 2) return end_block(warp);
        if (kind < 4) return fence(warp);
        --left_;
        if (kind < 45) return store(warp);
        expectation& target = expected_[warp][random_.below(registers)];
        if (target.busy) return;
        if (kind < 85) return load(warp, target);
        if (kind < 92) return count(warp, target);
        load_foreign(warp, target);
    }

    /// A window and a word for every lane: mostly the same for all, as programs do it.
    struct choice {
        window where;
        unsigned slot;
    };
    template <class Visit>
    void choose(Visit visit) {
        const auto any = [this] { return static_cast<window>(random_.below(3)); };
        const bool mixed = random_.chance(0.1);
        const bool scattered = random_.chance(0.3);
        const choice common{any(), static_cast<unsigned>(random_.below(slots))};
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            visit(lane,
                  choice{mixed ? any() : common.where,
                         scattered ? static_cast<unsigned>(random_.below(slots)) : common.slot});
        }
    }

    void store(unsigned warp) {
        const auto size = static_cast<unsigned>(random_.below(3));
        const unsigned bytes = 1u << size;
        memory_instruction& m = prepare(warp, stores_[size], some_lanes());
        choose([&](unsigned lane, const choice& c) {
            const auto offset = static_cast<unsigned>(random_.below(4 / bytes)) * bytes;
            m.address[lane] = address(c.where, warp, lane, c.slot) + offset;
            m.data[lane] = static_cast<std::uint32_t>(random_.next());
            if (((m.lanes >> lane) & 1) == 0) return;
            reference_word& w = word(c.where, warp, lane, c.slot);
            std::memcpy(reinterpret_cast<std::uint8_t*>(&w.value) + offset, &m.data[lane], bytes);
            w.known |= static_cast<std::uint8_t>(((1u << bytes) - 1) << offset);
        });
        accept();
    }

    void load(unsigned warp, expectation& target) {
        static constexpr std::uint32_t encodings[] = {encoding::lb,  encoding::lh,
                                                      encoding::lw,  encoding::lbu,
                                                      encoding::lhu, encoding::ldcg_w};
        start(warp, target, encodings[random_.below(6)]);
        const unsigned bytes = target.instruction.access_bytes();
        memory_instruction& m = prepare(warp, target.instruction, some_lanes());
        choose([&](unsigned lane, const choice& c) {
            const auto offset = static_cast<unsigned>(random_.below(4 / bytes)) * bytes;
            m.address[lane] = address(c.where, warp, lane, c.slot) + offset;
            if (((m.lanes >> lane) & 1) == 0) return;
            const reference_word& w = word(c.where, warp, lane, c.slot);
            const unsigned all = ((1u << bytes) - 1) << offset;
            if ((w.known & all) == all) target.checked |= lane_mask{1} << lane;
            target.value[lane] = isa::extend_loaded(target.instruction, w.value >> (8 * offset));
        });
        target.lanes = m.lanes;
        accept();
    }

    /// Adds to counters that all threads share.
    void count(unsigned warp, expectation& target) {
        start(warp, target, encoding::amoadd_w);
        memory_instruction& m = prepare(warp, target.instruction, some_lanes());
        const bool same = random_.chance(0.5);
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            const auto which = same ? 0 : static_cast<unsigned>(random_.below(32));
            m.address[lane] = counter_base + 4 * which;
            m.data[lane] = 1;
            if (((m.lanes >> lane) & 1) != 0) ++counted_[which];
        }
        target.lanes = m.lanes;
        accept();
    }

    void load_foreign(unsigned warp, expectation& target) {
        const bool bypass = random_.chance(0.5);
        start(warp, target, bypass ? encoding::ldcg_w : encoding::lw);
        memory_instruction& m = prepare(warp, target.instruction, some_lanes());
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            m.address[lane] = foreign_base + 4 * (lane % 32);
            target.value[lane] = (bypass ? foreign_ : fenced_)[lane % 32];
        }
        target.lanes = target.checked = m.lanes;
        target.at_least = true;
        accept();
    }

    /// Waits for nothing: it is a fence if this is a moment at which the warp's writes are done.
    void fence(unsigned warp) {
        (void)rig_.unit().maintenance().write_back(owner_set(access_owner(warp)));
        if (rig_.unit().outstanding_writes(access_owner(warp)) != 0) return;
        check_memory(warp);
        rig_.unit().maintenance().invalidate_global();
        fenced_ = foreign_;
    }

    /// What the warp has stored to global memory, memory has.
    void check_memory(unsigned warp) {
        for (unsigned i = 0; i < lanes_ * slots; ++i) {
            const unsigned lane = i % lanes_;
            const unsigned slot = i / lanes_;
            const std::uint32_t found = rig_.memory.word(address(window::global, warp, lane, slot));
            const std::uint32_t expected = word(window::global, warp, lane, slot).value;
            bench_.check(found == expected,
                         "memory has " + std::to_string(found) + " of warp " +
                             std::to_string(warp) + ", lane " + std::to_string(lane) + ", slot " +
                             std::to_string(slot) + ", expected was " + std::to_string(expected));
        }
    }

    void end_block(unsigned warp) {
        (void)rig_.unit().maintenance().write_back(owner_set(access_owner(warp)));
        if (rig_.unit().outstanding_instructions(access_owner(warp)) != 0 ||
            rig_.unit().outstanding_writes(access_owner(warp)) != 0) {
            return;
        }
        rig_.unit().maintenance().discard_private(warp, 1);
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            for (unsigned slot = 0; slot < slots; ++slot)
                word(window::of_thread, warp, lane, slot).known = 0;
        }
    }

    void start(unsigned warp, expectation& target, std::uint32_t match) {
        const auto rd = static_cast<unsigned>(&target - expected_[warp].data()) + 1;
        target = {};
        target.busy = true;
        target.instruction = access_instruction(match, rd);
    }
    memory_instruction& prepare(unsigned warp, const isa::instruction& i, lane_mask lanes) {
        return rig_.prepare(i, warp_slot(warp), lanes);
    }
    void accept() {
        const auto fault = rig_.unit().accept();
        bench_.check(!fault, fault ? "a legal access was refused: " + fault->what : "");
    }

    static unsigned warp_of(const memory_flight& flight) {
        return flight.group.as<warp_slot>().value();
    }
    expectation& expected_of(const memory_flight& flight) {
        return expected_[warp_of(flight)][flight.instruction->rd - 1u];
    }
    void loaded(const memory_flight& flight, lane_mask lanes, const std::uint32_t* values) {
        expectation& e = expected_of(flight);
        bench_.check(e.busy && (lanes & ~e.lanes) == 0, "values for lanes that wait for none");
        e.lanes &= ~lanes;
        for (lane_mask left = lanes & e.checked; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
            const bool good =
                e.at_least ? values[lane] >= e.value[lane] : values[lane] == e.value[lane];
            bench_.check(good, "cycle " + std::to_string(rig_.edge()) + ", warp " +
                                   std::to_string(warp_of(flight)) + ", lane " +
                                   std::to_string(lane) + ": '" + isa::mnemonic(e.instruction.op) +
                                   "' got " + std::to_string(values[lane]) + ", expected was " +
                                   (e.at_least ? "at least " : "") + std::to_string(e.value[lane]));
        }
    }
    void completed(const memory_flight& flight) {
        bench_.progress();
        if (left_ == 0) rig_.wake();
        if (flight.instruction->cls == isa::instruction_class::store) return;
        expectation& e = expected_of(flight);
        bench_.check(e.busy && e.lanes == 0, "completed before all lanes had their values");
        e.busy = false;
    }

    testbench& bench_;
    lsu_rig& rig_;
    random_stream random_;
    stall_source issue_stalls_;
    std::uint64_t left_;
    unsigned lanes_;
    std::array<isa::instruction, 3> stores_;
    std::array<std::vector<reference_word>, 3> words_;
    std::array<std::array<expectation, registers>, warps> expected_;
    std::array<std::uint32_t, 32> counted_{};
    std::array<std::uint32_t, 32> foreign_{};
    std::array<std::uint32_t, 32> fenced_{};
    std::array<std::uint32_t, 64> others_{};  ///< words of another SMX between those of the threads
};

}  // namespace

int sc_main(int argc, char** argv) {
    std::uint64_t accesses = 3000;
    testbench_description description;
    description.name = "l1_tb";
    description.summary = "Load-store unit and data cache against a flat reference memory";
    description.add_options = [&](command_line& line) {
        line.number("--accesses", accesses, "Number of memory instructions", 1, 10'000'000);
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) {
        clock_domain core("core", frequency::megahertz(706), bench.domain_options());
        lsu_rig_options options = random_rig(bench.random("configuration"), warps);
        options.memory.seed = bench.options().seed;
        options.memory.stall_probability = bench.options().stall_probability;
        options.waves = bench.waves();
        lsu_rig rig("rig", core, options);
        traffic load(bench, rig, accesses);
        if (bench.run(core) != error_kind::none) return;
        load.check_end();
        rig.memory_checker.report_lost();
        statistics all;
        rig.unit().report().collect(all, "rig", core.edge_count());
        rig.shared.collect(all, "rig.shared");
        std::printf("%s", to_table(all).c_str());
    });
}
