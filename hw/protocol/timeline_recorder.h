// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "hw/base/present.h"
#include "hw/protocol/link_observer.h"
#include "hw/protocol/link_rules.h"
#include "hw/protocol/trace_writer.h"

/// Recorders: what `--timeline FILE` writes.
namespace heddle::protocol {

/// The transactions of one link on one track: a slice per transaction and one per state inside it
/// (of accesses: one that lasts), and instants. No template and no sockets in it. Illegal phases
/// are left out; the checker reports them.
class link_recorder {
public:
    /// The track is `label` of `owner`, see trace_writer::add_track.
    link_recorder(trace_writer& writer, const std::string& owner, std::string_view label,
                  const rule_table& table, bool only_lasting_states = false);

    struct attributes {
        std::string title;  ///< empty: the link's name
        std::string arguments;
        std::uint64_t flow_in = 0, flow_out = 0;
        /// Each starts at a slice of no length in the one that starts flow_out.
        std::vector<std::uint64_t> further_flows;
    };

    /// True if the phase begins a transaction. The caller then calls begin() before it passes the
    /// call on.
    [[nodiscard]] bool begins(const void* payload, path via, unsigned phase) const;
    void begin(const void* payload, path via, unsigned phase, const sc_core::sc_time& at,
               attributes what);
    /// `instant`: what the phase is marked as, or nothing.
    void step(const void* payload, path via, unsigned phase, const sc_core::sc_time& at,
              std::string_view instant = {});
    void complete(const void* payload, const sc_core::sc_time& at);
    /// A transaction that is one call.
    void write_call(const sc_core::sc_time& begin, const sc_core::sc_time& end,
                    const attributes& what);
    /// Writes the transactions under way, up to now.
    void finish();

private:
    static constexpr unsigned maximum_stamps = 6;
    struct open_transaction {
        std::uint64_t number;
        unsigned lane;
        std::array<std::uint64_t, maximum_stamps> begin_ps;  ///< of each state entered
        std::array<std::uint8_t, maximum_stamps> state;
        unsigned stamps;
        attributes what;
    };
    struct lane_state {
        bool busy = false;
        std::uint64_t free_from_ps = 0;
    };

    unsigned take_lane(std::uint64_t begin_ps);
    [[nodiscard]] std::string_view title(const attributes& what) const;
    void write(const open_transaction& open, std::uint64_t end_ps);

    trace_writer& writer_;
    const rule_table& table_;
    const bool only_lasting_states_;
    unsigned track_;
    std::uint64_t begun_ = 0;
    std::vector<lane_state> lanes_;
    std::unordered_map<const void*, open_transaction> open_;
};

/// Records one link; see link_observer for how it is bound.
template <typename Link, unsigned Width = 32>
class timeline_recorder : public link_observer<Link, Width> {
    using base = link_observer<Link, Width>;
    using rules = link_rules<Link>;

public:
    using typename base::payload_type;
    using typename base::phase_type;

    /// The track is called `track` below the scope of the recorder; the default is the recorder's
    /// hierarchical name.
    timeline_recorder(const sc_core::sc_module_name& name, trace_writer& writer,
                      std::string_view track = {})
        : base(name),
          writer_(writer),
          recorder_(writer, track_name(track), {}, rules::table(), rules::carries_accesses) {}
    /// The track `label` of the block with the hierarchical name `owner`.
    timeline_recorder(const sc_core::sc_module_name& name, trace_writer& writer,
                      const std::string& owner, std::string_view label)
        : base(name),
          writer_(writer),
          recorder_(writer, owner, label, rules::table(), rules::carries_accesses) {}

    /// Writes the transactions that are still under way; before trace_writer::finish().
    void finish() { recorder_.finish(); }

protected:
    tlm::tlm_sync_enum pass(path via, payload_type& payload, phase_type& phase,
                            sc_core::sc_time& time) override {
        const sc_core::sc_time at = now(time);
        const unsigned number = rules::phase_number(phase);
        const transition* single = rules::table().find(idle_state, via, number);
        if (single != nullptr && single->to == closed_state) {
            const tlm::tlm_sync_enum status = base::pass(via, payload, phase, time);
            write_call(payload, at, now(time));
            return status;
        }
        if (recorder_.begins(&payload, via, number)) {
            if (wanted(payload, at)) {
                recorder_.begin(&payload, via, number, at, look_at(payload));
            }
        } else {
            recorder_.step(&payload, via, number, at, rules::instant(payload, phase));
        }
        const tlm::tlm_sync_enum status = base::pass(via, payload, phase, time);
        if (status == tlm::TLM_UPDATED) {
            const path back = via == path::forward ? path::backward : path::forward;
            recorder_.step(&payload, back, rules::phase_number(phase), now(time));
        } else if (status == tlm::TLM_COMPLETED) {
            recorder_.complete(&payload, now(time));
        }
        return status;
    }
    void b_transport(payload_type& payload, sc_core::sc_time& time) override {
        const sc_core::sc_time before = now(time);
        base::b_transport(payload, time);
        write_call(payload, before, now(time));
    }

private:
    [[nodiscard]] std::string track_name(std::string_view track) const {
        if (track.empty()) return this->name();
        const sc_core::sc_object* const scope = this->get_parent_object();
        return (scope == nullptr ? std::string() : scope->name() + std::string(".")).append(track);
    }
    static sc_core::sc_time now(const sc_core::sc_time& annotation) {
        return present::time() + annotation;
    }
    static link_recorder::attributes look_at(const payload_type& payload) {
        link_recorder::attributes what;
        what.title = rules::title(payload);
        attribute_list list(what.arguments, attribute_list::style::json);
        rules::describe(payload, list);
        what.flow_in = rules::flow_in(payload);
        what.flow_out = rules::flow_out(payload);
        what.further_flows = rules::further_flows(payload);
        return what;
    }
    void write_call(const payload_type& payload, const sc_core::sc_time& begin,
                    const sc_core::sc_time& end) {
        if (rules::recorded(payload) && wanted(payload, begin)) {
            recorder_.write_call(begin, end, look_at(payload));
        }
    }
    /// An access is shown if it begins in the window, a launch or block if it overlaps the window.
    [[nodiscard]] bool wanted(const payload_type& payload, const sc_core::sc_time& begin) const {
        if (!rules::carries_accesses) return true;
        const std::optional<sm_id> sm = rules::accessing_sm(payload);
        return (!sm || writer_.shows_accesses_of(sm->value())) &&
               writer_.window().contains(picoseconds(begin));
    }

    trace_writer& writer_;
    link_recorder recorder_;
};

}  // namespace heddle::protocol
