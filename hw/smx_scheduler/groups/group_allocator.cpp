// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/group_allocator.h"

namespace heddle {

namespace {

/// O(1), no allocation after construction.
class hashed_group_allocator final : public group_allocator {
public:
    explicit hashed_group_allocator(std::size_t entries) : entries_(entries) {}

    group_answer decide(const group_request& in) override {
        asked_ = in;
        if (in.what == group_operation::allocate) {
            asked_.entry = agt_entry(in.thread & (entries_.size() - 1));
        }
        const state& e = entries_[asked_.entry];
        said_ = {};
        said_.entry = asked_.entry;
        said_.executing = e.executing;
        said_.granted = in.what == group_operation::allocate && !e.used;
        said_.released = (in.what == group_operation::exhaust && e.executing == 0) ||
                         (in.what == group_operation::end_block && e.exhausted && e.executing == 1);
        return said_;
    }
    void clock_edge() override {
        state& e = entries_[asked_.entry];
        if (said_.released) {
            e = {};
            return;
        }
        switch (asked_.what) {
            case group_operation::none:
                return;
            case group_operation::allocate:
                e.used = true;
                return;
            case group_operation::start_block:
                ++e.executing;
                return;
            case group_operation::exhaust:
                e.exhausted = true;
                return;
            case group_operation::end_block:
                --e.executing;
                return;
        }
    }
    void reset() override { entries_.assign(entries_.size(), {}); }

private:
    struct state {
        bool used = false;
        bool exhausted = false;  ///< all blocks have been distributed
        std::uint32_t executing = 0;
    };

    strong_vector<agt_entry, state> entries_;
    group_request asked_;
    group_answer said_;
};

constexpr const char* operation_names[] = {"none", "allocate", "start_block", "exhaust",
                                           "end_block"};

}  // namespace

std::unique_ptr<group_allocator> make_group_allocator(
    const group_table_configuration& configuration) {
    return std::make_unique<hashed_group_allocator>(configuration.entries);
}

slot_registry<group_allocator_traits> group_allocator_traits::implementations() {
    return slot_registry<group_allocator_traits>(
        [](const group_table_configuration& configuration, const slot_context&) {
            return make_group_allocator(configuration);
        });
}

std::ostream& operator<<(std::ostream& to, const group_request& request) {
    to << '{' << operation_names[static_cast<unsigned>(request.what)];
    if (request.what == group_operation::allocate)
        return to << ", thread " << request.thread << '}';
    return to << ", entry " << request.entry << '}';
}

}  // namespace heddle
