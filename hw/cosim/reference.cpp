// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/reference.h"

#include <optional>
#include <utility>
#include <vector>

#include "hw/cosim/crossbar_allocator_ports.h"
#include "hw/cosim/dram_scheduler_ports.h"
#include "hw/cosim/group_allocator_ports.h"
#include "hw/cosim/kde_chain_ports.h"
#include "hw/cosim/queue_picker_ports.h"
#include "hw/cosim/warp_scheduler_ports.h"
#include "hw/crossbar/input_first_allocator.h"
#include "hw/kmu/queue_picker.h"
#include "hw/memory_controller/fr_fcfs_scheduler.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx_scheduler/chain/fcfs_chain.h"
#include "models/base/bits.h"
#include "models/base/error.h"

namespace heddle::cosim {

namespace {

/// A simulation without a clock: that of the other simulator counts.
struct no_machine final : cycle_counter {
    [[nodiscard]] std::string clock_name() const override { return "reference"; }
    [[nodiscard]] std::uint64_t cycle() const override { return 0; }

    template <class Traits>
    [[nodiscard]] std::unique_ptr<typename Traits::interface> make(
        const typename Traits::setting& setting) {
        return Traits::implementations().make(slot_implementation::tlm, setting,
                                              slot_context("reference", 1, *this, status));
    }
    run_status status;
};

class queue_picker_reference {
public:
    using call = queue_picker_call;
    static constexpr const auto& ports = queue_picker_ports;

    void reset(const call&) { part_->reset(); }
    void decide(call& c) { c.queue = static_cast<std::uint8_t>(pick(c)); }
    void edge(const call& c) {
        pick(c);
        if (c.ready != 0) part_->clock_edge();
    }

private:
    unsigned pick(const call& c) { return c.ready == 0 ? 0 : part_->decide({c.ready}).queue; }

    no_machine machine_;
    std::unique_ptr<queue_picker> part_ = machine_.make<queue_picker_traits>({});
};

class crossbar_allocator_reference {
public:
    using call = crossbar_allocator_call;
    static constexpr const auto& ports = crossbar_allocator_ports;

    void reset(const call& c) {
        const allocator_shape shape{c.rows, c.columns, 1};
        const auto seeds = [](const auto& from, unsigned count) {
            std::vector<lfsr32> all;
            for (unsigned n = 0; n < count; ++n) all.emplace_back(from.at(n));
            return all;
        };
        part_.emplace(shape, random_arbiters(seeds(c.row_seed, c.rows), c.columns),
                      random_arbiters(seeds(c.column_seed, c.columns), c.rows));
    }
    void decide(call& c) {
        c.granted = 0;
        c.column = {};
        if (!part_) return;
        const matching grants = part_->decide(requests(c));
        for (std::uint32_t row = 0; row < c.rows; ++row) {
            if (!grants.granted(row)) continue;
            c.granted |= std::uint32_t{1} << row;
            c.column[row] = static_cast<std::uint8_t>(grants.column(row));
        }
    }
    void edge(call c) {
        decide(c);
        if (part_) part_->clock_edge();
    }

private:
    static request_matrix requests(const call& c) {
        request_matrix all(c.rows, c.columns);
        for (std::uint32_t row = 0; row < c.rows; ++row) {
            bits::for_each(c.request[row] & bits::below(c.columns),
                           [&](unsigned column) { all.insert(row, column); });
        }
        return all;
    }

    std::optional<input_first_allocator> part_;
};

/// Has one bank, whose queue and row are those of the call.
class dram_scheduler_reference {
public:
    using call = dram_scheduler_call;
    static constexpr const auto& ports = dram_scheduler_ports;

    void reset(const call&) {}
    void decide(call& c) {
        request_queue queue(call::most, 1);
        channel_timing banks(sheet_, 1, 1);
        if (c.open) banks.issue(protocol::dram_command::activate, 0, c.open_row, 0);
        // Ports have the lower 32 bits of times; all requests came before now.
        constexpr std::uint64_t now = std::uint64_t{1} << 32;
        for (std::uint32_t n = 0; n < call::most; ++n) {
            const std::uint32_t age = c.now - c.arrival[n];
            // Who may not be picked stands for a write while it is the reads' turn.
            (void)queue.insert({n, 0, n, c.row[n], now - age, !c.candidate[n]});
        }
        memory_controller_configuration configuration;
        configuration.age_limit = c.age_limit;
        fr_fcfs_scheduler part(configuration);
        scheduler_view view{queue, banks, 1, false, now};
        const request_queue::index at = part.pick(view);
        c.found = at != request_queue::none;
        c.entry = c.found ? static_cast<std::uint8_t>(queue[at].owner) : 0;
    }
    void edge(const call&) {}

private:
    protocol::dram_timing sheet_;
};

/// One event a clock: a cycle of its own for the C++ part, in which nothing else happens.
class warp_scheduler_reference {
public:
    using call = warp_scheduler_call;
    static constexpr const auto& ports = warp_scheduler_ports;

    void reset(const call& c) {
        static constexpr selection_policy policies[] = {
            selection_policies::key<loose_round_robin>, selection_policies::key<greedy_then_oldest>,
            selection_policies::key<memory_then_recent>};
        configuration_.scheduler = policies[c.policy % std::size(policies)];
        part_ = machine_.make<warp_selection_traits>({configuration_, ~std::uint64_t{0}});
        resident_ = 0;
    }
    void decide(call& c) {
        c.valid = false;
        c.warp = 0;
        if (!part_) return;
        const warp_selection_traits::outputs said = part_->decide(inputs(c.issuable, c.memory));
        c.valid = said.valid;
        c.warp = said.warp;
    }
    void edge(const call& c) {
        if (!part_) return;
        const std::uint64_t slot = std::uint64_t{1} << c.event_warp;
        if (c.event == warp_event::gone) resident_ &= ~slot;
        if (c.event == warp_event::started) resident_ |= slot;
        // The decision was made before the cycle's first clock: it is not made again.
        selection_inputs in = inputs(c.issued ? std::uint64_t{1} << c.issued_warp : 0, c.memory);
        if (c.event == warp_event::started) in.started = slot;
        if (c.event == warp_event::completed) in.memory_done = slot;
        part_->decide(in);
        part_->clock_edge();
    }

private:
    [[nodiscard]] selection_inputs inputs(std::uint64_t issuable, std::uint64_t memory) const {
        selection_inputs in;
        in.resident = resident_;
        in.ready = in.issuable = issuable;
        in.memory = memory;
        return in;
    }

    no_machine machine_;
    warp_scheduler_configuration configuration_;
    std::unique_ptr<warp_selection> part_;
    std::uint64_t resident_ = 0;  ///< slots that hold a warp
};

class kde_chain_reference {
public:
    using call = kde_chain_call;
    static constexpr const auto& ports = kde_chain_ports;

    void reset(const call&) { part_.emplace(call::most_entries); }
    void decide(call& c) {
        if (!part_) return;
        c.accepted = c.operation == chain_operation::start && c.entry < c.entries &&
                     fcfs_chain(*part_).start(kde_index(c.entry), c.rank, c.stays);
        c.linked = null_group.bits();
        if (c.operation == chain_operation::append) {
            c.linked =
                fcfs_chain(*part_).append(kde_index(c.entry), group_index::of_bits(c.group)).bits();
        }
        c.empty = part_->empty();
        const kde_chain::source head =
            c.empty ? kde_chain::source{kde_index(0), null_group} : part_->head();
        c.head = static_cast<std::uint8_t>(head.kde.value());
        c.head_group = head.group.bits();
        c.marks = part_->marks()[0];
        const kde_chain::registers entry = (*part_)[kde_index(c.entry)];
        c.first_time = entry.first_time;
        c.next_group = entry.next_group.bits();
        c.last_group = entry.last_group.bits();
    }
    void edge(const call& c) {
        if (!part_) return;
        switch (c.operation) {
            case chain_operation::none:
                return;
            case chain_operation::start:
                if (c.entry >= c.entries) return;
                (void)part_->start(kde_index(c.entry), c.rank, c.stays);
                return;
            case chain_operation::append:
                part_->append(kde_index(c.entry), group_index::of_bits(c.group));
                return;
            case chain_operation::advance:
                if (!part_->empty()) part_->advance(group_index::of_bits(c.group));
                return;
        }
    }

private:
    std::optional<fcfs_chain> part_;
};

class group_allocator_reference {
public:
    using call = group_allocator_call;
    static constexpr const auto& ports = group_allocator_ports;

    void reset(const call& c) { part_ = make_group_allocator({c.mask + 1U}); }
    void decide(call& c) {
        if (!part_) return;
        const group_answer said =
            part_->decide({c.operation, c.thread, agt_entry(c.entry & c.mask)});
        c.granted = said.granted;
        c.index = static_cast<std::uint16_t>(said.entry.value());
        c.released = said.released;
        c.executing = said.executing;
    }
    void edge(call c) {
        decide(c);
        if (part_) part_->clock_edge();
    }

private:
    std::unique_ptr<group_allocator> part_;
};

template <class Part>
class reference_model final : public rtl_model {
public:
    std::uint32_t* inputs() noexcept override { return in_.data(); }
    const std::uint32_t* outputs() const noexcept override { return out_.data(); }
    void evaluate() override {
        ports_.unpack_inputs(in_.data(), call_);
        part_.decide(call_);
        ports_.pack_outputs(call_, out_.data());
    }
    void clock() override {
        ports_.unpack_inputs(in_.data(), call_);
        part_.edge(call_);
        evaluate();
    }
    void reset() override {
        ports_.unpack_inputs(in_.data(), call_);
        part_.reset(call_);
        evaluate();
    }

private:
    const port_table<typename Part::call> ports_{Part::ports};
    typename Part::call call_;
    Part part_;
    bit_words in_ = bit_words(words_for(bits_of(ports_.shapes(), port_direction::input)));
    bit_words out_ = bit_words(words_for(bits_of(ports_.shapes(), port_direction::output)));
};

}  // namespace

std::unique_ptr<rtl_model> make_reference(const std::string& slot) {
    if (slot == "warp_scheduler") {
        return std::make_unique<reference_model<warp_scheduler_reference>>();
    }
    if (slot == "crossbar_allocator") {
        return std::make_unique<reference_model<crossbar_allocator_reference>>();
    }
    if (slot == "dram_scheduler") {
        return std::make_unique<reference_model<dram_scheduler_reference>>();
    }
    if (slot == "queue_picker") return std::make_unique<reference_model<queue_picker_reference>>();
    if (slot == "kde_chain") return std::make_unique<reference_model<kde_chain_reference>>();
    if (slot == "group_allocator") {
        return std::make_unique<reference_model<group_allocator_reference>>();
    }
    throw configuration_error("slot '" + slot +
                              "' has no reference; legal: warp_scheduler, crossbar_allocator, "
                              "dram_scheduler, queue_picker, kde_chain, group_allocator");
}

}  // namespace heddle::cosim
