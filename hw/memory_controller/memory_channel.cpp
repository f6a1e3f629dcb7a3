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
    changed_ = changed_ || held != held_;
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
        banks_[request.bank] = {at, now, timing_.open_row(request.bank)};
        serving_ |= bit;
        view.free_banks &= ~bit;
        ++dispatched_[request.write];
        queue_.set_dispatched(at, true);
    }
}

/// The request of a bank waits in the queue again.
void memory_channel::recall(std::uint32_t bank) {
    const request_queue::index at = std::exchange(banks_[bank].serves, request_queue::none);
    --dispatched_[queue_[at].write];
    queue_.set_dispatched(at, false);
    serving_ &= ~(std::uint64_t{1} << bank);
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
    // (3) the data bus turns when the banks have served all that was under way
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

void memory_channel::plan_banks(std::uint64_t banks, std::uint64_t earliest) {
    for (; banks != 0; banks &= banks - 1) {
        const auto bank = static_cast<std::uint32_t>(__builtin_ctzll(banks));
        const dram_command what = wanted(bank);
        const bool column = what == dram_command::read || what == dram_command::write;
        if (column && (held_ || (!in_order_ && (what == dram_command::write) != bus_writes_))) {
            continue;
        }
        const std::uint64_t cycle = std::max(earliest, timing_.earliest(what, bank));
        if (cycle < plan_.cycle) {
            plan_ = {cycle, bank, what};
            if (cycle == earliest) return;  // nothing goes before it
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
    if (refreshing_) {
        plan_refresh(earliest);
        return;
    }
    const std::uint64_t before = (std::uint64_t{1} << next_bank_) - 1;
    plan_banks(serving_ & ~before, earliest);
    if (plan_.cycle != earliest) plan_banks(serving_ & before, earliest);
}

// ---- commands ---------------------------------------------------------------------------------

const memory_channel::issue* memory_channel::advance(std::uint64_t now) {
    if (now >= refresh_due_ && !refreshing_) {
        refreshing_ = true;
        changed_ = true;
    }
    if (changed_) {
        changed_ = false;
        decide(now);
        make_plan(now);
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
    --dispatched_[request.write];
    queue_.remove(bank.serves);
    bank.serves = request_queue::none;
    serving_ &= ~(std::uint64_t{1} << plan_.bank);
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
    next_bank_ = plan_.bank + 1 == timing_.banks() ? 0 : plan_.bank + 1;
}

}  // namespace heddle
