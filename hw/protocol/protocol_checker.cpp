// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/protocol_checker.h"

#include <algorithm>

#include "hw/base/report_error.h"

namespace heddle::protocol {

namespace {

/// State of a transaction inside b_transport; no table uses it.
constexpr std::uint8_t blocking_state = 0xfe;

std::string_view path_name(path via) {
    return via == path::forward ? "forward" : "backward";
}

std::string_view status_name(tlm::tlm_sync_enum status) {
    switch (status) {
        case tlm::TLM_ACCEPTED:
            return "TLM_ACCEPTED";
        case tlm::TLM_UPDATED:
            return "TLM_UPDATED";
        case tlm::TLM_COMPLETED:
            return "TLM_COMPLETED";
    }
    return "an unknown status";
}

std::string answer_names(std::uint8_t answers) {
    std::string out;
    const auto add = [&](std::uint8_t bit, std::string_view name) {
        if ((answers & bit) != 0) {
            out.append(out.empty() ? "" : " or ").append(name);
        }
    };
    add(may_accept, "TLM_ACCEPTED");
    add(may_update, "TLM_UPDATED");
    add(may_complete, "TLM_COMPLETED");
    return out;
}

path opposite(path via) {
    return via == path::forward ? path::backward : path::forward;
}

}  // namespace

link_checker::link_checker(std::string name, const rule_table& table)
    : name_(std::move(name)), table_(table) {}

void link_checker::violate(const char* id, const std::string& what) const {
    report_error(id, "'" + name_ + "' (" + std::string(table_.link) + "): " + what);
}

std::string link_checker::text(const open_transaction& open) const {
    const std::string state(open.state == blocking_state ? "b_transport"
                                                         : table_.state_name(open.state));
    return "transaction " + std::to_string(open.number) + " {" + payload_text(open) +
           "} in state '" + state + "' since " + open.since.to_string();
}

std::string link_checker::payload_text(const open_transaction& open) {
    return open.during_call != nullptr ? open.during_call->describe() : open.text;
}

std::string link_checker::legal_phases(std::uint8_t state) const {
    std::string out;
    for (unsigned i = 0; i < table_.transition_count; ++i) {
        const transition& t = table_.transitions[i];
        if (t.from != state) continue;
        out.append(out.empty() ? "" : " or ")
            .append(table_.phase_name(t.phase))
            .append(" on the ")
            .append(path_name(t.via))
            .append(" path");
    }
    return out.empty() ? "nothing" : out;
}

// ---- rules ------------------------------------------------------------------------------------

void link_checker::check_references(const payload_view& payload,
                                    const open_transaction* open) const {
    if (!table_.counted) return;
    const unsigned references = payload.references();
    if (open == nullptr && references == 0) {
        violate(rule::not_acquired, "{" + payload.describe() +
                                        "} has no memory manager or no reference; legal: the "
                                        "initiator acquires it before its first phase");
    } else if (open != nullptr && references == 0) {
        violate(rule::released_early, "{" + payload.describe() +
                                          "} was released before its transaction ended; legal: the "
                                          "initiator holds a reference until then");
    }
}

void link_checker::check_fixed(const open_transaction& open, const payload_view& payload) const {
    const fixed_attributes now = payload.fixed();
    for (unsigned i = 0; i < now.count; ++i) {
        if (now.values[i] == open.fixed.values[i]) {
            continue;
        }
        violate(
            rule::attribute_changed,
            text(open) + ": " + std::string(now.names[i]) +
                " changed during the transaction; legal: a component that changes it restores it");
        return;
    }
}

void link_checker::check_response(const payload_view& payload) const {
    const std::string error = payload.response_error();
    if (!error.empty()) {
        violate(rule::response_missing, "{" + payload.describe() + "}: " + error);
    }
}

void link_checker::check_exclusion(const open_transaction& entering, std::uint8_t state) const {
    if (state >= in_state_.size() || in_state_[state] == 0 ||
        ((table_.exclusive_states >> state) & 1U) == 0) {
        return;
    }
    const open_transaction* first = nullptr;
    for (const auto& [payload, open] : open_) {
        const bool other = &open != &entering && open.state == state;
        if (other && (first == nullptr || open.number < first->number)) {
            first = &open;
        }
    }
    if (first == nullptr) return;
    violate(rule::exclusion, "transaction " + std::to_string(entering.number) + " {" +
                                 payload_text(entering) + "} entered state '" +
                                 std::string(table_.state_name(state)) + "' while " + text(*first) +
                                 "; legal: one at a time");
}

void link_checker::report_illegal(const payload_view& payload, const open_transaction* open,
                                  path via, unsigned phase) const {
    const std::string what =
        std::string(table_.phase_name(phase)) + " on the " + std::string(path_name(via)) + " path";
    if (open == nullptr) {
        violate(rule::not_open,
                what + " of {" + payload.describe() +
                    "}, which is not under way here; legal: " + legal_phases(idle_state));
        return;
    }
    const bool begins = table_.find(idle_state, via, phase) != nullptr;
    violate(begins ? rule::duplicated : rule::phase_order,
            what + " of " + text(*open) + "; legal: " + legal_phases(open->state));
}

// ---- life of a transaction --------------------------------------------------------------------

void link_checker::begin(const payload_view& payload, std::uint8_t state,
                         const sc_core::sc_time& at, bool one_call) {
    ++begun_;
    // Hardly any payload is ever described: texts that can wait are not made yet.
    open_transaction fresh{begun_,
                           idle_state,
                           at,
                           at,
                           false,
                           payload.fixed(),
                           one_call ? &payload : nullptr,
                           one_call ? std::string() : payload.describe()};
    move(open_.emplace(payload.identity(), std::move(fresh)).first->second, state, at);
}

void link_checker::move(open_transaction& open, std::uint8_t state, const sc_core::sc_time& at) {
    check_exclusion(open, state);
    leave(open.state);
    open.state = state;
    if (state < in_state_.size()) {
        ++in_state_[state];
    }
    open.since = at;
    open.last = at;
}

void link_checker::leave(std::uint8_t state) {
    if (state != idle_state && state < in_state_.size()) {
        --in_state_[state];
    }
}

void link_checker::close(open_map::iterator at) {
    ++completed_;
    leave(at->second.state);
    open_.erase(at);
}

const transition* link_checker::step(const payload_view& payload, path via, unsigned phase,
                                     const sc_core::sc_time& at) {
    const auto found = open_.find(payload.identity());
    open_transaction* open = found == open_.end() ? nullptr : &found->second;
    const transition* taken = table_.find(open == nullptr ? idle_state : open->state, via, phase);
    if (taken == nullptr) {
        report_illegal(payload, open, via, phase);
        return nullptr;
    }
    check_references(payload, open);
    if (open == nullptr) {
        const std::string error = payload.request_error();
        if (!error.empty()) {
            violate(rule::attributes, "{" + payload.describe() + "}: " + error);
        }
        begin(payload, taken->to, at, taken->to == closed_state);
        return taken;
    }
    if (at < open->last) {
        violate(rule::time_backwards, std::string(table_.phase_name(phase)) + " at " +
                                          at.to_string() + " of " + text(*open) +
                                          "; legal: not before " + open->last.to_string());
    }
    if (taken->response) {
        check_response(payload);
        check_fixed(*open, payload);
        open->answered = true;
    }
    if (taken->to == closed_state) {
        close(found);
    } else {
        move(*open, taken->to, at);
    }
    return taken;
}

void link_checker::complete(const payload_view& payload) {
    const auto found = open_.find(payload.identity());
    if (found == open_.end()) return;
    if (!found->second.answered) {
        check_response(payload);
        check_fixed(found->second, payload);
    }
    close(found);
}

// ---- calls ------------------------------------------------------------------------------------

link_checker::call link_checker::before(const payload_view& payload, path via, unsigned phase,
                                        const sc_core::sc_time& time) {
    call made{payload.identity(), via, phase, time, 0, false, false};
    if (table_.style == transport_style::blocking) {
        violate(rule::transport_style, "nb_transport; legal: b_transport only");
        return made;
    }
    if (table_.once_per_instant) {
        if (called_ && last_call_ == time) {
            violate(rule::once_per_instant,
                    "second call at " + time.to_string() + "; legal: one a cycle");
        }
        called_ = true;
        last_call_ = time;
    }
    if (phase == ignorable_phase) return made;
    if (!table_.knows(phase)) {
        const auto found = open_.find(payload.identity());
        violate(rule::unknown_phase,
                "{" + payload.describe() +
                    "} came with a phase that the link does not know; "
                    "legal: " +
                    legal_phases(found == open_.end() ? idle_state : found->second.state));
        return made;
    }
    const transition* taken = step(payload, via, phase, time);
    if (taken == nullptr) return made;
    made.answers = taken->answers;
    made.opened = taken->from == idle_state;
    made.closed = taken->to == closed_state;
    return made;
}

void link_checker::after(const call& made, const payload_view& payload, const answer& got) {
    if (table_.style == transport_style::blocking) return;
    if (got.time < made.time) {
        violate(rule::time_backwards, "the callee of " +
                                          std::string(table_.phase_name(made.phase)) +
                                          " took the time annotation back from " +
                                          made.time.to_string() + " to " + got.time.to_string());
    }
    const std::uint8_t bit = got.status == tlm::TLM_ACCEPTED  ? may_accept
                             : got.status == tlm::TLM_UPDATED ? may_update
                                                              : may_complete;
    if (made.answers != 0 && (made.answers & bit) == 0) {
        violate(rule::return_status, std::string(status_name(got.status)) + " as the answer to " +
                                         std::string(table_.phase_name(made.phase)) + " on the " +
                                         std::string(path_name(made.via)) +
                                         " path; legal: " + answer_names(made.answers));
        if (got.status == tlm::TLM_UPDATED && !made.closed) {
            return;
        }
    }
    if (made.closed) {
        // A single call has its answer only now; other transactions were closed by before().
        if (made.opened) {
            complete(payload);
        }
        return;
    }
    switch (got.status) {
        case tlm::TLM_ACCEPTED:
            if (made.answers != 0 && (got.phase != made.phase || got.time != made.time)) {
                violate(rule::return_status,
                        "TLM_ACCEPTED with a changed phase or time; legal: both unchanged");
            }
            return;
        case tlm::TLM_UPDATED: {
            if (got.phase == ignorable_phase) {
                return;
            }
            if (!table_.knows(got.phase)) {
                violate(rule::unknown_phase, "{" + payload.describe() +
                                                 "} was updated to a phase that the link does "
                                                 "not know");
                return;
            }
            step(payload, opposite(made.via), got.phase, got.time);
            return;
        }
        case tlm::TLM_COMPLETED:
            complete(payload);
            return;
    }
}

void link_checker::before_blocking(const payload_view& payload, const sc_core::sc_time& time) {
    if (table_.style == transport_style::nonblocking) {
        violate(rule::transport_style, "b_transport; legal: nb_transport only");
        return;
    }
    const auto found = open_.find(payload.identity());
    if (found != open_.end()) {
        violate(rule::duplicated, "b_transport of " + text(found->second));
        return;
    }
    const std::string error = payload.request_error();
    if (!error.empty()) {
        violate(rule::attributes, "{" + payload.describe() + "}: " + error);
    }
    begin(payload, blocking_state, time, true);
}

void link_checker::after_blocking(const payload_view& payload, const sc_core::sc_time& before,
                                  const sc_core::sc_time& after) {
    if (after < before) {
        violate(rule::time_backwards, "b_transport took the time back from " + before.to_string() +
                                          " to " + after.to_string());
    }
    const auto found = open_.find(payload.identity());
    if (found != open_.end() && found->second.state == blocking_state) {
        complete(payload);
    }
}

void link_checker::unwound(const payload_view& payload) {
    const auto found = open_.find(payload.identity());
    if (found == open_.end() || found->second.during_call == nullptr) return;
    found->second.text = payload.describe();
    found->second.during_call = nullptr;
}

// ---- end of the run ---------------------------------------------------------------------------

std::vector<std::string> link_checker::open_transactions() const {
    std::vector<const open_transaction*> sorted;
    sorted.reserve(open_.size());
    for (const auto& [payload, open] : open_) {
        sorted.push_back(&open);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* a, const auto* b) { return a->number < b->number; });
    std::vector<std::string> lines;
    lines.reserve(sorted.size());
    for (const open_transaction* open : sorted) {
        lines.push_back(text(*open));
    }
    return lines;
}

void link_checker::report_lost() const {
    constexpr std::size_t shown = 16;
    const std::vector<std::string> lines = open_transactions();
    if (lines.empty()) {
        return;
    }
    std::string what = std::to_string(lines.size()) + " transactions are still open:";
    for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i) {
        what += "\n  " + lines[i];
    }
    if (lines.size() > shown) {
        what += "\n  ... and " + std::to_string(lines.size() - shown);
    }
    violate(rule::lost, what);
}

}  // namespace heddle::protocol
