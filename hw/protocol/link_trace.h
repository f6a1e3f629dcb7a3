// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "hw/base/frequency.h"
#include "hw/base/present.h"
#include "hw/base/scope_filter.h"
#include "hw/base/trace_output.h"
#include "hw/base/vcd_writer.h"
#include "hw/protocol/link_observer.h"
#include "hw/protocol/link_rules.h"

/// What `--link-trace FILE` writes.
namespace heddle::protocol {

/// The messages of links as text, for testbenches of other simulators.
///
/// The first line is `heddle-link-trace 1 KHZ`, with the frequency of the core clock. Then comes a
/// line `link NAME PROTOCOL` for each link, and then one for each message, in the order of time:
/// `CYCLE PS LINK TRANSACTION PHASE [FIELD=VALUE ...]`. CYCLE is that of the core clock. Each link
/// counts its transactions from 1. Messages of one instant are ordered by link and transaction, so
/// that the order in which blocks run does not show. docs/rtl.md has the fields.
///
/// A name that ends in .gz gives a gzip file. The file appears whole or not at all.
class link_trace {
public:
    /// `scopes` are patterns over names of links, as in trace_selection. Throws configuration_error
    /// if the file can't be made.
    link_trace(const std::filesystem::path& file, const frequency& core,
               std::vector<std::string> scopes, time_window window = {});

    [[nodiscard]] bool selects(const std::string& link) { return scopes_.selects(link); }
    /// Which links are selected, and which were offered.
    [[nodiscard]] const scope_filter& scopes() const noexcept { return scopes_; }

    /// While the netlist is built.
    unsigned add_link(const std::string& name, std::string_view protocol);
    [[nodiscard]] bool shows(const sc_core::sc_time& at) const;
    /// `fields`: as attribute_list writes them, or nothing.
    void write(unsigned link, std::uint64_t transaction, const sc_core::sc_time& at,
               std::string_view phase, std::string_view fields);
    /// Completes the file; throws configuration_error if it could not be written.
    void finish();

private:
    struct message {
        unsigned link;
        std::uint64_t transaction;
        std::string text;  ///< from the transaction's number on
    };
    void write_instant();

    std::unique_ptr<trace_output> file_;
    frequency core_;
    scope_filter scopes_;
    time_window window_;
    std::vector<std::string> links_;
    std::uint64_t now_ps_ = 0;      ///< of the messages that wait
    std::vector<message> waiting_;  ///< those of one instant
};

/// What a message is to its transaction.
struct message_place {
    std::uint64_t transaction = 0;  ///< 0: the phase is illegal here, or no message
    bool begins = false;            ///< the payload says what is wanted
    bool answers = false;           ///< the payload has the response
};

/// Follows the transactions of one link. No template and no sockets in it.
class message_counter {
public:
    explicit message_counter(const rule_table& table) : table_(table) {}

    [[nodiscard]] message_place take(const void* payload, path via, unsigned phase);
    /// TLM_COMPLETED: of a transaction that is under way, else nothing.
    [[nodiscard]] message_place complete(const void* payload);
    /// A transaction that is one call.
    [[nodiscard]] message_place call() { return {++begun_, true, true}; }

private:
    struct open_transaction {
        std::uint64_t number;
        std::uint8_t state;
        bool answered;  ///< a message has carried the response
    };
    const rule_table& table_;
    std::uint64_t begun_ = 0;
    std::unordered_map<const void*, open_transaction> open_;
};

/// Writes the messages of one link; see link_observer for how it is bound.
template <typename Link, unsigned Width = 32>
class message_recorder : public link_observer<Link, Width> {
    using base = link_observer<Link, Width>;
    using rules = link_rules<Link>;

public:
    using typename base::payload_type;
    using typename base::phase_type;

    message_recorder(const sc_core::sc_module_name& name, link_trace& trace,
                     const std::string& link)
        : base(name), trace_(trace), link_(trace.add_link(link, rules::table().link)) {}

protected:
    tlm::tlm_sync_enum pass(path via, payload_type& payload, phase_type& phase,
                            sc_core::sc_time& time) override {
        const sc_core::sc_time at = now(time);
        const unsigned number = rules::phase_number(phase);
        const transition* const single = rules::table().find(idle_state, via, number);
        if (single != nullptr && single->to == closed_state) {
            const tlm::tlm_sync_enum status = base::pass(via, payload, phase, time);
            write(counter_.call(), rules::table().phase_name(number), payload, now(time));
            return status;
        }
        step(via, payload, number, at);
        const tlm::tlm_sync_enum status = base::pass(via, payload, phase, time);
        if (status == tlm::TLM_UPDATED) {
            const path back = via == path::forward ? path::backward : path::forward;
            step(back, payload, rules::phase_number(phase), now(time));
        } else if (status == tlm::TLM_COMPLETED) {
            write(counter_.complete(&payload), "completed", payload, now(time));
        }
        return status;
    }
    void b_transport(payload_type& payload, sc_core::sc_time& time) override {
        base::b_transport(payload, time);
        write(counter_.call(), "call", payload, now(time));
    }

private:
    static sc_core::sc_time now(const sc_core::sc_time& annotation) {
        return present::time() + annotation;
    }
    void write(const message_place& place, std::string_view phase, const payload_type& payload,
               const sc_core::sc_time& at) {
        if (place.transaction == 0 || !trace_.shows(at)) return;
        fields_.clear();
        if (place.begins || place.answers) {
            attribute_list list(fields_, attribute_list::style::fields);
            rules::describe(payload, list);
            rules::detail(payload, place.answers, list);
        }
        trace_.write(link_, place.transaction, at, phase, fields_);
    }
    void step(path via, const payload_type& payload, unsigned phase, const sc_core::sc_time& at) {
        write(counter_.take(&payload, via, phase), rules::table().phase_name(phase), payload, at);
    }

    link_trace& trace_;
    unsigned link_;
    message_counter counter_{rules::table()};
    std::string fields_;
};

}  // namespace heddle::protocol
