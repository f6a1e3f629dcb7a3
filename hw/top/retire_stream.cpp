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
static_assert(static_cast<unsigned>(transaction_event::committed) == HEDDLE_COMMITTED);

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

    void block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override {
        take_slots(dispatch, warp_slots);
        tell_block(HEDDLE_BLOCK_BEGIN, edge, dispatch);
    }
    void block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override {
        tell_block(HEDDLE_BLOCK_END, edge, dispatch);
    }
    void block_suspended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override {
        tell_block(HEDDLE_BLOCK_SUSPEND, edge, dispatch);
    }
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots, const std::vector<isa::lane_mask>& live) override {
        take_slots(dispatch, warp_slots);
        std::size_t index = 0;
        bits::for_each(warp_slots, [&](unsigned slot) { warps_[slot].live = live[index++]; });
        tell_block(HEDDLE_BLOCK_RESUME, edge, dispatch);
    }

    void executed(const issued_instruction& i, const register_file& registers) override {
        if (!warps_[i.warp].follows) return;
        heddle_retired retired = begun(i);
        if (retired.rd != 0) {
            copy_lanes(retired.value, registers.row(i.warp, i.instruction->rd), i.lanes);
            retired.known = i.lanes;
        }
        if (into_.parts_) add_path(retired, i);
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
        if (into_.parts_) add_path(retired, i);
        const bool whole = !into_.parts_ && retired.access != HEDDLE_STORE;
        if (!whole) tell(retired, i.edge);
        if (retired.access != HEDDLE_STORE) w.under_way.push_back(retired);
    }
    void loaded(std::uint64_t edge, unsigned slot, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override {
        const auto found = find(warps_[slot], number);
        if (found == warps_[slot].under_way.end()) return;  // not followed
        heddle_retired& retired = *found;
        const bool gives = retired.rd != 0 || retired.access == HEDDLE_ATOMIC;
        if (into_.parts_) {
            heddle_retired part = part_of(retired);
            part.lanes = part.known = lanes;
            if (gives) copy_lanes(part.value, values, lanes);
            tell(part, edge);
            return;
        }
        if (gives) copy_lanes(retired.value, values, lanes);
        retired.known |= lanes;
    }
    /// The registers may hold later values of threads that did not wait for the others.
    void completed(std::uint64_t edge, unsigned slot, issue_number number,
                   const register_file&) override {
        warp& w = warps_[slot];
        const auto done = find(w, number);
        if (done == w.under_way.end()) return;  // a store, or not followed
        if (!into_.parts_) tell(*done, edge);
        w.under_way.erase(done);
    }
    void writes_drained(std::uint64_t edge, unsigned slot) override {
        tell_warp(HEDDLE_DRAINED, edge, slot);
    }
    void fenced(std::uint64_t edge, unsigned slot) override {
        tell_warp(HEDDLE_FENCED, edge, slot);
    }
    void transaction(std::uint64_t edge, unsigned slot, transaction_event what,
                     isa::lane_mask lanes, const register_file&) override {
        tell_warp(HEDDLE_TRANSACTION, edge, slot, lanes, static_cast<std::uint32_t>(what));
    }

private:
    struct warp {
        bool follows = false;
        launch_id launch;
        std::uint32_t block = 0;
        std::uint32_t index = 0;
        std::uint64_t issued = 0;               ///< instructions
        isa::lane_mask live = 0;                ///< lanes whose thread has not ended
        std::vector<heddle_retired> under_way;  ///< loads and atomics
    };

    void take_slots(const protocol::block_dispatch& dispatch, std::uint64_t warp_slots) {
        std::uint32_t index = 0;
        bits::for_each(warp_slots, [&](unsigned slot) {
            const bool follows =
                in_scope(into_.scopes_, smx_, dispatch.launch, dispatch.block, index);
            const auto threads = static_cast<std::uint32_t>(dispatch.kernel->block.count());
            const auto lanes = std::min(warp_size_, threads - index * warp_size_);
            warps_[slot] = {follows, dispatch.launch, dispatch.block, index, 0, bits::below(lanes),
                            {}};
            ++index;
        });
    }
    /// What the instruction does to the path of the warp.
    void add_path(heddle_retired& retired, const issued_instruction& i) {
        warp& w = warps_[i.warp];
        if (i.instruction->op == isa::opcode::exit) w.live &= ~i.lanes;
        retired.given = HEDDLE_GIVES_LIVE;
        retired.live = w.live;
        if (i.instruction->cls != isa::instruction_class::branch || i.transfer == nullptr) return;
        const std::uint32_t target = i.pc + static_cast<std::uint32_t>(i.instruction->imm);
        if (target == i.pc + 4) return;
        retired.given |= HEDDLE_GIVES_TAKEN;
        for (unsigned g = 0; g < i.transfer->count; ++g) {
            const simt::lane_group& group = i.transfer->groups[g];
            if (group.pc == target) retired.taken |= group.lanes;
        }
    }
    /// Of a block that is followed in any of its warps.
    void tell_block(heddle_retired_kind kind, std::uint64_t edge,
                    const protocol::block_dispatch& dispatch) const {
        if (!into_.parts_) return;
        const bool follows = std::any_of(warps_.begin(), warps_.end(), [&](const warp& w) {
            return w.follows && w.launch == dispatch.launch && w.block == dispatch.block;
        });
        if (!follows) return;
        heddle_retired told{};
        told.size = sizeof told;
        told.kind = kind;
        told.smx = smx_;
        told.slot = static_cast<std::uint32_t>(dispatch.slot.value());
        told.warp_size = warp_size_;
        told.launch = dispatch.launch.value();
        told.block = dispatch.block;
        tell(told, edge);
    }
    void tell_warp(heddle_retired_kind kind, std::uint64_t edge, unsigned slot,
                   isa::lane_mask lanes = 0, std::uint32_t event = 0) const {
        const warp& w = warps_[slot];
        if (!into_.parts_ || !w.follows) return;
        heddle_retired told{};
        told.size = sizeof told;
        told.kind = kind;
        told.n = w.issued;
        told.lanes = lanes;
        told.smx = smx_;
        told.slot = slot;
        told.warp_size = warp_size_;
        told.launch = w.launch.value();
        told.block = w.block;
        told.warp = w.index;
        told.transaction = event;
        tell(told, edge);
    }

    static std::vector<heddle_retired>::iterator find(warp& w, issue_number number) {
        return std::find_if(w.under_way.begin(), w.under_way.end(),
                            [&](const heddle_retired& r) { return r.n == number.value(); });
    }
    /// What is known when it issues.
    [[nodiscard]] heddle_retired begun(const issued_instruction& i) {
        warp& w = warps_[i.warp];
        w.issued = i.number.value();
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
    /// A record of values for the load or atomic, without them.
    [[nodiscard]] static heddle_retired part_of(const heddle_retired& step) {
        heddle_retired part{};
        part.size = sizeof part;
        part.kind = HEDDLE_DATA;
        part.n = step.n;
        part.smx = step.smx;
        part.slot = step.slot;
        part.warp_size = step.warp_size;
        part.launch = step.launch;
        part.block = step.block;
        part.warp = step.warp;
        part.rd = step.rd;
        return part;
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

retire_stream::retire_stream(std::vector<retire_scope> scopes, sink into, bool parts)
    : scopes_(std::move(scopes)), into_(std::move(into)), parts_(parts) {}

retire_stream::~retire_stream() = default;

execution_observer& retire_stream::observer(std::size_t smx, unsigned lanes) {
    observers_.push_back(std::make_unique<smx_observer>(*this, smx, lanes));
    return *observers_.back();
}

}  // namespace heddle
