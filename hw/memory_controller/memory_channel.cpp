// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/memory_channel.h"

#include <algorithm>
#include <utility>

namespace heddle {

using protocol::dram_command;

memory_channel::memory_channel(const memory_controller_configuration& configuration,
                               std::unique_ptr<request_scheduler> scheduler)
    : configuration_(configuration),
      queue_(configuration.queue, configuration.banks()),
      timing_(configuration.timing, configuration.banks(), configuration.bank_groups),
      scheduler_(std::move(scheduler)),
      in_order_(scheduler_->in_order()),
      drain_(configuration.write_high_watermark, configuration.write_low_watermark,
             configuration.age_limit),
      banks_(configuration.banks()),
      refresh_due_(configuration.timing.refi == 0 ? never : configuration.timing.refi) {}

channel_counts memory_channel::counts() const {
    return counts_;
}

void memory_channel::insert(const column_request& request) {
    const request_queue::index at = queue_.insert(request);
    changed_ = true;
    const bank_state& bank = banks_[request.bank];
    if (in_order_ || bank.serves == request_queue::none || queue_[at].blocked != 0) {
        return;
    }
    const request_queue::entry& served = queue_[bank.serves];
    if (timing_.open_row(request.bank) == request.row && served.row != request.row &&
        request.write == drain_.writing() &&
        request.arrival - served.arrival <= configuration_.age_limit) {
        recall(request.bank);  // a row is not closed while somebody wants it
    }
}

void memory_channel::hold(bool held) {
    if (held == held_) return;
    changed_ = replans_ = true;
    held_ = held;
}

// ---- decisions --------------------------------------------------------------------------------

void memory_channel::dispatch(std::uint64_t now) {
    scheduler_view view{queue_, timing_, queue_.used_banks() & ~serving_, drain_.writing(), now};
    while (view.free_banks != 0) {
        const request_queue::index at = scheduler_->pick(view);
        if (at == request_queue::none) {
            return;
        }
        const request_queue::entry& request = queue_[at];
        const std::uint64_t bit = std::uint64_t{1} << request.bank;
        banks_[request.bank] = {at, now, timing_.open_row(request.bank), dram_command::activate};
        serving_ |= bit;
        note_wanted(request.bank);
        replans_ = true;
        view.free_banks &= ~bit;
        ++dispatched_[request.write];
        queue_.set_dispatched(at, true);
    }
}

/// The bank serves nothing any more.
void memory_channel::leave(std::uint32_t bank) {
    bank_state& left = banks_[bank];
    const std::uint64_t others = ~(std::uint64_t{1} << bank);
    --dispatched_[queue_[left.serves].write];
    left.serves = request_queue::none;
    serving_ &= others;
    wanting_[static_cast<std::size_t>(left.wants)] &= others;
}

/// The request of a bank waits in the queue again.
void memory_channel::recall(std::uint32_t bank) {
    queue_.set_dispatched(banks_[bank].serves, false);
    leave(bank);
    replans_ = true;
}

/// The turn has passed: what its bank has not opened the row for yet waits again, so that the bus
/// turns soon.
void memory_channel::recall_others() {
    for (std::uint64_t banks = serving_; banks != 0; banks &= banks - 1) {
        const auto bank = static_cast<std::uint32_t>(__builtin_ctzll(banks));
        const request_queue::entry& request = queue_[banks_[bank].serves];
        if (request.write != drain_.writing() && timing_.open_row(bank) != request.row) {
            recall(bank);
        }
    }
}

void memory_channel::decide(std::uint64_t now) {
    // (1) whose turn it is
    if (!in_order_) {
        const bool was_writing = drain_.writing();
        drain_.decide(queue_, now);
        if (drain_.writing() != was_writing) {
            recall_others();
        }
    }
    // (2) requests to banks
    dispatch(now);
    // (3) the data bus turns when the banks have served all that was under way: a bank has taken a
    // request or has lost one, so that the plan is made anew
    if (!in_order_ && dispatched_[bus_writes_] == 0 && dispatched_[!bus_writes_] != 0) {
        bus_writes_ = !bus_writes_;
        counts_.turnarounds += bus_writes_ ? 1 : 0;
    }
}

dram_command memory_channel::wanted(std::uint32_t bank) const {
    const request_queue::entry& request = queue_[banks_[bank].serves];
    const std::uint64_t row = timing_.open_row(bank);
    if (row == channel_timing::closed) {
        return dram_command::activate;
    }
    if (row != request.row) {
        return dram_command::precharge;
    }
    return request.write ? dram_command::write : dram_command::read;
}

/// Call when a bank has taken a request, and when a command to a bank with one has gone.
void memory_channel::note_wanted(std::uint32_t bank) {
    const std::uint64_t bit = std::uint64_t{1} << bank;
    dram_command& wants = banks_[bank].wants;
    wanting_[static_cast<std::size_t>(wants)] &= ~bit;
    wants = wanted(bank);
    wanting_[static_cast<std::size_t>(wants)] |= bit;
}

void memory_channel::plan_banks(std::uint64_t earliest) {
    // (1) which banks may have a command, and when it may go as far as all banks are concerned
    std::uint64_t banks = 0;
    std::uint64_t first = never;
    std::array<std::uint64_t, protocol::dram_command_count>
        of_channel;  // NOLINT: defined for what a bank wants
    const auto allow = [&](dram_command what) {
        const auto kind = static_cast<std::size_t>(what);
        if (wanting_[kind] == 0) return;
        banks |= wanting_[kind];
        of_channel[kind] = std::max(earliest, timing_.earliest_of_channel(what));
        first = std::min(first, of_channel[kind]);
    };
    allow(dram_command::activate);
    allow(dram_command::precharge);
    if (!held_ && (in_order_ || !bus_writes_)) allow(dram_command::read);
    if (!held_ && (in_order_ || bus_writes_)) allow(dram_command::write);
    // (2) the first one, starting behind the bank of the last command
    const std::uint64_t before = (std::uint64_t{1} << next_bank_) - 1;
    for (const std::uint64_t part : {banks & ~before, banks & before}) {
        for (std::uint64_t left = part; left != 0; left &= left - 1) {
            const auto bank = static_cast<std::uint32_t>(__builtin_ctzll(left));
            const dram_command what = banks_[bank].wants;
            const std::uint64_t cycle = std::max(of_channel[static_cast<std::size_t>(what)],
                                                 timing_.earliest_of_bank(what, bank));
            if (cycle < plan_.cycle) {
                plan_ = {cycle, bank, what};
                if (cycle == first) return;  // nothing goes before it
            }
        }
    }
}

void memory_channel::plan_refresh(std::uint64_t earliest) {
    if (timing_.open_banks() == 0) {
        plan_ = {std::max(earliest, timing_.earliest(dram_command::refresh, 0)), 0,
                 dram_command::refresh};
        return;
    }
    for (std::uint64_t open = timing_.open_banks(); open != 0; open &= open - 1) {
        const auto bank = static_cast<std::uint32_t>(__builtin_ctzll(open));
        const std::uint64_t cycle =
            std::max(earliest, timing_.earliest(dram_command::precharge, bank));
        if (cycle < plan_.cycle) {
            plan_ = {cycle, bank, dram_command::precharge};
        }
    }
}

void memory_channel::make_plan(std::uint64_t earliest) {
    plan_.cycle = never;
    replans_ = false;
    if (refreshing_) {
        plan_refresh(earliest);
    } else {
        plan_banks(earliest);
    }
}

// ---- commands ---------------------------------------------------------------------------------

const memory_channel::issue* memory_channel::advance(std::uint64_t now) {
    if (now >= refresh_due_ && !refreshing_) {
        refreshing_ = true;
        changed_ = replans_ = true;
    }
    if (changed_) {
        changed_ = false;
        decide(now);
        // The plan was made earlier, for a clock that has not passed: later it is the same.
        if (replans_) make_plan(now);
    }
    if (plan_.cycle != now) {
        return nullptr;
    }
    perform(now);
    decide(now);
    make_plan(now + 1);
    return &issue_;
}

void memory_channel::finish_column(std::uint64_t now) {
    bank_state& bank = banks_[plan_.bank];
    const request_queue::entry& request = queue_[bank.serves];
    const protocol::dram_timing& t = configuration_.timing;
    ++(request.write ? counts_.writes : counts_.reads);
    ++(bank.found == request.row              ? counts_.row_hits
       : bank.found == channel_timing::closed ? counts_.row_misses
                                              : counts_.row_conflicts);
    issue_.request = request;
    issue_.command.row = request.row;
    issue_.command.column = request.column;
    issue_.dispatched = bank.since;
    issue_.data_end = now + (request.write ? t.wl : t.cl) + t.burst;
    const request_queue::index done = bank.serves;
    leave(plan_.bank);
    queue_.remove(done);
}

void memory_channel::perform(std::uint64_t now) {
    issue_.command = {now, plan_.what, plan_.bank, 0, 0};
    issue_.column = false;
    std::uint64_t row = 0;
    switch (plan_.what) {
        case dram_command::activate:
            ++counts_.activates;
            row = issue_.command.row = queue_[banks_[plan_.bank].serves].row;
            break;
        case dram_command::read:
        case dram_command::write:
            issue_.column = true;
            finish_column(now);
            break;
        case dram_command::precharge:
            ++counts_.precharges;
            break;
        case dram_command::refresh:
            ++counts_.refreshes;
            refreshing_ = false;
            refresh_due_ += configuration_.timing.refi;
            break;
    }
    timing_.issue(plan_.what, plan_.bank, row, now);
    if (banks_[plan_.bank].serves != request_queue::none) note_wanted(plan_.bank);
    next_bank_ = plan_.bank + 1 == timing_.banks() ? 0 : plan_.bank + 1;
}

}  // namespace heddle
