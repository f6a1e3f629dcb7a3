// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/retire_stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include "hw/smx/lsu/queue/memory_instruction.h"
#include "models/base/bits.h"

namespace heddle {
namespace {

static_assert(protocol::maximum_lanes == HEDDLE_LANES);

heddle_access access_of(isa::instruction_class what) {
    switch (what) {
        case isa::instruction_class::load:
            return HEDDLE_LOAD;
        case isa::instruction_class::store:
            return HEDDLE_STORE;
        case isa::instruction_class::atomic:
            return HEDDLE_ATOMIC;
        default:
            return HEDDLE_NO_ACCESS;
    }
}

void copy_lanes(std::uint32_t* to, const std::uint32_t* from, isa::lane_mask lanes) {
    bits::for_each(lanes, [&](unsigned lane) { to[lane] = from[lane]; });
}

}  // namespace

/// Follows one SMX.
class retire_stream::smx_observer final : public execution_observer {
public:
    smx_observer(retire_stream& into, std::size_t smx, unsigned lanes)
        : into_(into), smx_(static_cast<std::uint32_t>(smx)), warp_size_(lanes) {}

    void block_started(std::uint64_t, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override {
        std::uint32_t index = 0;
        bits::for_each(warp_slots, [&](unsigned slot) {
            const bool follows =
                in_scope(into_.scopes_, smx_, dispatch.launch, dispatch.block, index);
            warps_[slot] = {follows, dispatch.launch, dispatch.block, index, {}};
            ++index;
        });
    }
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots, const std::vector<isa::lane_mask>&) override {
        block_started(edge, dispatch, warp_slots);
    }

    void executed(const issued_instruction& i, const register_file& registers) override {
        if (!warps_[i.warp].follows) return;
        heddle_retired retired = begun(i);
        if (retired.rd != 0) {
            copy_lanes(retired.value, registers.row(i.warp, i.instruction->rd), i.lanes);
        }
        tell(retired, i.edge);
    }
    void accessed(const issued_instruction& i, const memory_instruction& access) override {
        warp& w = warps_[i.warp];
        if (!w.follows) return;
        heddle_retired retired = begun(i);
        retired.access = access_of(i.instruction->cls);
        copy_lanes(retired.address, access.address, i.lanes);
        if (retired.access != HEDDLE_LOAD) copy_lanes(retired.data, access.data, i.lanes);
        if (i.instruction->op == isa::opcode::amocas_w) {
            copy_lanes(retired.compare, access.compare, i.lanes);
        }
        if (retired.access == HEDDLE_STORE) {
            tell(retired, i.edge);
        } else {
            w.under_way.push_back(retired);
        }
    }
    void loaded(std::uint64_t, unsigned slot, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override {
        const auto found = find(warps_[slot], number);
        if (found == warps_[slot].under_way.end()) return;  // not followed
        if (found->rd != 0) copy_lanes(found->value, values, lanes);
    }
    /// The registers may hold later values of threads that did not wait for the others.
    void completed(std::uint64_t edge, unsigned slot, issue_number number,
                   const register_file&) override {
        warp& w = warps_[slot];
        const auto done = find(w, number);
        if (done == w.under_way.end()) return;  // a store, or not followed
        tell(*done, edge);
        w.under_way.erase(done);
    }
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}

private:
    struct warp {
        bool follows = false;
        launch_id launch;
        std::uint32_t block = 0;
        std::uint32_t index = 0;
        std::vector<heddle_retired> under_way;  ///< loads and atomics
    };

    static std::vector<heddle_retired>::iterator find(warp& w, issue_number number) {
        return std::find_if(w.under_way.begin(), w.under_way.end(),
                            [&](const heddle_retired& r) { return r.n == number.value(); });
    }
    /// What is known when it issues.
    [[nodiscard]] heddle_retired begun(const issued_instruction& i) const {
        const warp& w = warps_[i.warp];
        heddle_retired retired{};
        retired.size = sizeof retired;
        retired.issued = i.edge;
        retired.n = i.number.value();
        retired.lanes = i.lanes;
        retired.smx = smx_;
        retired.slot = i.warp;
        retired.warp_size = warp_size_;
        retired.launch = w.launch.value();
        retired.block = w.block;
        retired.warp = w.index;
        retired.pc = i.pc;
        retired.word = i.instruction->raw;
        retired.rd = i.instruction->writes_register() ? i.instruction->rd : 0;
        return retired;
    }
    void tell(heddle_retired& retired, std::uint64_t cycle) const {
        retired.cycle = cycle;
        into_.into_(retired);
    }

    retire_stream& into_;
    std::uint32_t smx_;
    std::uint32_t warp_size_;
    std::array<warp, protocol::maximum_warps> warps_;
};

retire_stream::retire_stream(std::vector<retire_scope> scopes, sink into)
    : scopes_(std::move(scopes)), into_(std::move(into)) {}

retire_stream::~retire_stream() = default;

execution_observer& retire_stream::observer(std::size_t smx, unsigned lanes) {
    observers_.push_back(std::make_unique<smx_observer>(*this, smx, lanes));
    return *observers_.back();
}

}  // namespace heddle
