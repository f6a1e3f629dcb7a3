// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/iss/naive_transactions.h"

#include <cstring>
#include <memory>

#include "models/base/bits.h"
#include "models/isa/execute.h"
#include "models/program/address_map.h"
#include "models/simt/transfer.h"

namespace heddle::iss {

using isa::instruction;
using isa::instruction_class;
using isa::lane_mask;
using isa::opcode;

naive_transactions::naive_transactions(const program::image& image, const std::string& kernel,
                                       const transaction_faults& faults)
    : faults_(faults) {
    machine_.warp_size = lanes;
    machine_.smx_count = 1;
    machine_.tm.enabled = true;
    launch_.id = launch_id(1);
    launch_.program = &programs_.add(std::make_shared<program::image>(image));
    launch_.kernel = &launch_.program->image->get_kernel(kernel);
    launch_.shape = {{1}, {lanes}};
    launch_.per_block = check_launch(*launch_.kernel, launch_.shape, machine_);
    shared_.resize(launch_.per_block.shared_bytes / 4);
    readers_.resize(shared_.size());
    writers_.resize(shared_.size());
    private_.resize(std::size_t{machine_.smx.private_bytes} / 4 * lanes);
    lockstep_parts parts{machine_, ranges_, false, false, false, false, false, {}, {}};
    parts.memory = [](std::uint32_t, const auto&) { return 0u; };
    parts.report = [this](error_kind kind, const std::string& text, const auto&) {
        error_ = kind;
        text_ = text;
    };
    check_ = make_lockstep(std::move(parts));
    check_->launched(launch_);
}

void naive_transactions::run(unsigned limit) {
    registers_.start(launch_.parameters, machine_.smx.private_bytes);
    stack_.reset(launch_.kernel->entry, bits::below(lanes));
    check_->block_started({1, 0, 0, launch_.id, 0, 1});
    while (!stack_.empty() && error_ == error_kind::none && now_.number < limit) step();
    if (error_ != error_kind::none) return;
    check_->block_ended(0, 0);
    check_->settled();
}

void naive_transactions::step() {
    const auto& top = stack_.top();
    now_ = {now_.time + 1, 0, 0, now_.number + 1, top.next_pc, top.lanes};
    if (faults_.issues_for_nobody && losses_ != 0) {
        now_.lanes = 0;
        return check_->executed(now_, nullptr);
    }
    const program::kernel_code& code = launch_.kernel->code;
    const instruction& i = code.at(now_.pc);
    execution_counts ignored;
    const simt::control_site site{code, now_.pc, now_.lanes, ignored};
    switch (i.cls) {
        case instruction_class::load:
        case instruction_class::store:
            return access(i);
        case instruction_class::transaction:
            check_->executed(now_, nullptr);
            return i.op == opcode::tx_begin ? begin() : commit();
        case instruction_class::branch:
            transfer(simt::branch(site, i, isa::branch_taken<lanes>(i, registers_, now_.lanes)));
            break;
        case instruction_class::jump: {
            const simt::transfer to = simt::jump(site, i);
            isa::execute<lanes>(i, now_.pc, registers_, now_.lanes, nullptr);
            transfer(to);
            break;
        }
        case instruction_class::simt_control:
            if (i.op == opcode::exit) {
                stack_.exit(now_.lanes);
            } else {
                stack_.advance(now_.pc + 4);
            }
            break;
        case instruction_class::csr: {
            simt::block_identity identity;
            identity.grid = launch_.shape.grid;
            identity.block = launch_.shape.block;
            registers_.access_csr(i, now_.lanes, {identity, 0, now_.time - 1, now_.number});
            stack_.advance(now_.pc + 4);
            break;
        }
        default:
            static_cast<void>(registers_.execute(i, now_.pc, now_.lanes));
            stack_.advance(now_.pc + 4);
    }
    finish(i);
}

void naive_transactions::finish(const instruction& i) {
    check_->executed(now_, i.writes_register() ? registers_.x[i.rd] : nullptr);
}

void naive_transactions::transfer(const simt::transfer& to) {
    if (to.what == simt::transfer::kind::together) {
        stack_.advance(to.groups[0].pc);
    } else {
        stack_.follow(to);
    }
}

void naive_transactions::access(const instruction& i) {
    const bool write = i.cls == instruction_class::store;
    alignas(64) std::uint32_t address[lanes];
    isa::effective_addresses<lanes>(i, registers_, address);
    check_->accessed(now_, {address, write ? registers_.x[i.rs2] : nullptr, nullptr});
    stack_.advance(now_.pc + 4);
    std::uint32_t values[lanes] = {};
    lane_mask done = 0;
    lane_mask lost = 0;
    bits::for_each(now_.lanes, [&](unsigned lane) {
        std::uint32_t* const word = find(lane, address[lane], write);
        if (word == nullptr) {
            lost |= lane_mask{1} << lane;
            return;
        }
        done |= lane_mask{1} << lane;
        std::byte* const bytes = reinterpret_cast<std::byte*>(word) + address[lane] % 4;
        if (write) {
            std::memcpy(bytes, &registers_.x[i.rs2][lane], i.access_bytes());
        } else {
            std::memcpy(&values[lane], bytes, i.access_bytes());
            values[lane] = isa::extend_loaded(i, values[lane]);
        }
    });
    if (lost != 0) lose(lost);
    if (!write) {
        check_->loaded(now_.time, 0, 0, now_.number, done, values);
        isa::write_register<lanes>(registers_, i.rd, values, done);
    }
    check_->completed(now_.time, 0, 0, now_.number,
                      [&](unsigned index) { return registers_.x[index]; });
    if (lost != 0 && running_ == 0) restart();
}

std::uint32_t* naive_transactions::find(unsigned lane, std::uint32_t address, bool write) {
    const lane_mask self = lane_mask{1} << lane;
    const bool shared = program::shared_window.contains(address);
    std::vector<std::uint32_t>& memory = shared ? shared_ : private_;
    const std::size_t index =
        shared ? (address - program::shared_window.base) / 4
               : (address - program::private_window.base) / 4 + private_.size() / lanes * lane;
    if ((running_ & self) == 0) return &memory[index];
    if (shared) {
        if (conflicts(lane, index, write)) {
            forget(lane);
            return nullptr;
        }
        readers_[index] |= self;
        if (write) writers_[index] |= self;
    }
    if (write) written_[lane].push_back({&memory, index, memory[index]});
    return &memory[index];
}

bool naive_transactions::conflicts(unsigned lane, std::size_t word, bool write) const {
    if (faults_.misses_conflicts) return false;
    const lane_mask others = ~(lane_mask{1} << lane);
    return ((writers_[word] | (write ? readers_[word] : 0)) & others) != 0;
}

/// The lane's words of shared memory are as they were.
void naive_transactions::forget(unsigned lane) {
    bool kept = !faults_.keeps_shared;
    for (auto at = written_[lane].rbegin(); at != written_[lane].rend(); ++at) {
        if (at->memory != &shared_) continue;
        if (kept) shared_[at->index] = at->value;
        kept = true;
    }
    for (auto* words : {&readers_, &writers_}) {
        for (lane_mask& word : *words) word &= ~(lane_mask{1} << lane);
    }
}

void naive_transactions::begin() {
    if (begun_ == 0) {
        stack_.mark(now_.pc);
        begun_ = now_.lanes;
        committed_ = last_lost_ = 0;
    }
    stack_.advance(now_.pc + 4);
    running_ = now_.lanes;
    saved_ = registers_;
    for (auto& words : written_) words.clear();
    tell(transaction_event::began, now_.lanes);
}

void naive_transactions::lose(lane_mask lost) {
    losses_ += bits::count(lost);
    running_ &= ~lost;
    lost_ |= lost;
    stack_.leave(lost);
    tell(transaction_event::lost, faults_.forgets_lane ? lost & (lost - 1) : lost);
}

void naive_transactions::commit() {
    const std::uint32_t pc = now_.pc;
    bits::for_each(now_.lanes, [&](unsigned lane) {
        for (auto* words : {&readers_, &writers_}) {
            for (lane_mask& word : *words) word &= ~(lane_mask{1} << lane);
        }
    });
    committed_ |= now_.lanes;
    running_ = 0;
    tell(transaction_event::committed, faults_.commits_lost ? now_.lanes | lost_ : now_.lanes);
    if (committed_ != begun_) return restart();
    begun_ = 0;
    stack_.release(pc + 4);
}

/// All lost lanes start again, or the lowest alone if the same ones have lost twice.
void naive_transactions::restart() {
    const lane_mask next = lost_ == last_lost_ ? lost_ & -lost_ : lost_;
    last_lost_ = lost_;
    lost_ &= ~next;
    bits::for_each(next, [&](unsigned lane) {
        for (auto at = written_[lane].rbegin(); at != written_[lane].rend(); ++at) {
            if (at->memory == &private_ && !faults_.keeps_private) private_[at->index] = at->value;
        }
        for (unsigned index = 0; index < isa::register_count; ++index) {
            if (faults_.keeps_registers && index >= 10) continue;
            registers_.x[index][lane] = saved_.x[index][lane];
        }
    });
    stack_.rewind(next);
    tell(transaction_event::restarted, faults_.restarts_twice ? begun_ : next);
}

void naive_transactions::tell(transaction_event what, lane_mask which) {
    check_->transaction(now_.time, 0, 0, what, which,
                        [&](unsigned index) { return registers_.x[index]; });
}

}  // namespace heddle::iss
