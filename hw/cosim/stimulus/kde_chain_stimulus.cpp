// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <deque>
#include <vector>

#include "hw/cosim/kde_chain_ports.h"
#include "hw/cosim/stimulus/slot_bench.h"
#include "hw/cosim/stimulus/stimulus.h"
#include "hw/protocol/group_index.h"
#include "models/base/bits.h"

namespace heddle::cosim {

namespace {

/// `accepted` and `linked` answer an operation each. Registers of an entry mean something while it
/// has a mark.
void counts(const kde_chain_call& said, kde_chain_call& counts) {
    if (said.operation != chain_operation::start) counts.accepted = false;
    if (said.operation != chain_operation::append) counts.linked = 0;
    if (bits::test(said.marks, said.entry)) return;
    counts.first_time = false;
    counts.next_group = counts.last_group = 0;
}

constexpr unsigned most_entries = kde_chain_call::most_entries;

/// Kernels start in any entry, groups join entries of kernels, and of a group that ends Next is
/// who has joined behind it.
class kde_chain_driver {
public:
    explicit kde_chain_driver(const stimulus_target& to)
        : bench_("kde_chain", kde_chain_ports, counts, to),
          coverage_(to.coverage),
          random_(to.random),
          states_(to.coverage.declare({"operation x marked entries",
                                       {"none", "start", "append", "advance"},
                                       {"0", "1", "2 to 63", "64"},
                                       {{3, 0}}})),
          starts_(to.coverage.declare({"start x its entry",
                                       {"accepted", "refused"},
                                       {"without a mark", "with a mark", "does not exist"},
                                       {{0, 1}, {0, 2}, {1, 0}}})),
          groups_(to.coverage.declare({"advance x what follows",
                                       {"the kernel's own blocks end", "a group ends"},
                                       {"nothing", "a group"}})) {}

    void run(unsigned steps) {
        constexpr unsigned phase = 400;
        for (unsigned n = 0; n < steps; ++n) {
            if (n % (4 * phase) == 0) {
                reset();
                if (resets_ % 2 != 0) fill();
            }
            step(n / phase % 4);
        }
    }

private:
    static constexpr unsigned full = 4;  ///< a phase

    struct entry {
        bool used = false;  ///< a kernel has started in it
        bool own = false;   ///< whose blocks are not distributed
        std::deque<std::uint32_t> groups;
    };

    void reset() {
        const unsigned sizes[] = {most_entries, 1, 2, 5, 32, most_entries - 1};
        call_ = {};
        call_.entries = static_cast<std::uint8_t>(sizes[resets_++ % 6]);
        bench_.reset(call_);
        entries_.assign(most_entries, {});
    }
    /// Each entry starts; then it stays full for each operation.
    void fill() {
        for (unsigned n = 0; n < call_.entries; ++n) {
            call_.operation = chain_operation::start;
            call_.entry = static_cast<std::uint8_t>((n * 29 + resets_) % call_.entries);
            call_.rank = any() % 4;
            clock();
        }
        for (unsigned n = 0; n < 100; ++n) step(full);
    }
    /// The chain fills, stays as full as it is twice, and drains.
    void step(unsigned phase) {
        const std::uint64_t kind = random_.below(phase == full ? 8 : 12);
        const bool fills = phase == 0, drains = phase == 3;
        call_.operation = kind == 0 ? chain_operation::none
                          : kind < (fills    ? 8U
                                    : drains ? 2U
                                             : 5U)
                              ? chain_operation::start
                          : kind < (drains  ? 4U
                                    : fills ? 11U
                                            : 8U)
                              ? chain_operation::append
                              : chain_operation::advance;
        const std::uint32_t ranks[] = {0, 1, 2, 0x80000000, ~std::uint32_t{0}};
        call_.rank = random_.below(4) == 0 ? any() : ranks[random_.below(5)];
        call_.stays = random_.below(2) == 0;
        const bool starts = call_.operation == chain_operation::start;
        // Of a kernel also entries that do not exist.
        const unsigned entries = starts && random_.below(8) == 0 ? most_entries : call_.entries;
        call_.entry = static_cast<std::uint8_t>(random_.below(entries));
        if (phase == full && random_.below(16) == 0) call_.operation = chain_operation::advance;
        keep_rules();
        const bool stays_full = phase == full && call_.operation == chain_operation::advance;
        const kde_chain_call said = stays_full ? bench_.ask(call_) : take();
        const unsigned marked = bits::count(said.marks);
        port_coverage& to = coverage_;
        to.add(states_, static_cast<unsigned>(call_.operation),
               marked < 2              ? marked
               : marked < most_entries ? 2
                                       : 3);
        if (starts) {
            to.add(starts_, said.accepted ? 0 : 1,
                   call_.entry >= call_.entries          ? 2
                   : bits::test(said.marks, call_.entry) ? 1
                                                         : 0);
        }
        if (call_.operation != chain_operation::advance) return;
        to.add(groups_, said.head_group == null_group.bits() ? 0 : 1,
               call_.group == null_group.bits() ? 0 : 1);
    }
    /// What can't be becomes no operation; and the group that the operation has.
    void keep_rules() {
        const bool joins = call_.operation == chain_operation::append;
        const bool ends = call_.operation == chain_operation::advance;
        do {
            call_.group = any();
        } while (call_.group == null_group.bits());
        if (joins && !entries_[call_.entry].used) call_.operation = chain_operation::none;
        if (!ends) return;
        const kde_chain_call now = bench_.answer(call_);
        const entry& head = entries_[now.head];
        if (now.empty) {
            call_.operation = chain_operation::none;
        } else if (head.own) {  // ignored
            if (random_.below(2) == 0) call_.group = null_group.bits();
        } else {
            call_.group = head.groups.size() == 1 ? null_group.bits() : head.groups[1];
        }
    }
    kde_chain_call take() {
        const std::uint64_t how = random_.below(16);
        return how == 0 ? bench_.ask(call_) : how == 1 ? bench_.idle(call_) : clock();
    }
    kde_chain_call clock() {
        const kde_chain_call said = bench_.clock(call_);
        if (said.accepted) entries_[call_.entry] = {true, true, {}};
        if (call_.operation == chain_operation::append) {
            entries_[call_.entry].groups.push_back(call_.group);
        }
        if (call_.operation != chain_operation::advance) return said;
        entry& head = entries_[said.head];
        if (!head.own) head.groups.pop_front();
        head.own = false;
        return said;
    }
    std::uint32_t any() { return static_cast<std::uint32_t>(random_.next()); }

    slot_bench<kde_chain_call> bench_;
    port_coverage& coverage_;
    random_stream& random_;
    const std::size_t states_, starts_, groups_;
    kde_chain_call call_;
    std::vector<entry> entries_;
    unsigned resets_ = 0;
};

}  // namespace

void drive_kde_chain(const stimulus_target& to) {
    kde_chain_driver(to).run(to.steps);
}

}  // namespace heddle::cosim
