// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/link_trace.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "hw/protocol/trace_writer.h"

namespace heddle::protocol {

namespace {

constexpr int version = 1;

std::uint64_t kilohertz(const frequency& clock) {
    return clock.mhz_numerator() * 1000 / clock.mhz_denominator();
}

}  // namespace

link_trace::link_trace(const std::filesystem::path& file, const frequency& core,
                       std::vector<std::string> scopes, time_window window)
    : file_(make_trace_output(file)), core_(core), scopes_(std::move(scopes)), window_(window) {
    file_->stream() << "heddle-link-trace " << version << ' ' << kilohertz(core) << '\n';
}

unsigned link_trace::add_link(const std::string& name, std::string_view protocol) {
    links_.push_back(vcd_token(name));
    file_->stream() << "link " << links_.back() << ' ' << protocol << '\n';
    return static_cast<unsigned>(links_.size() - 1);
}

bool link_trace::shows(const sc_core::sc_time& at) const {
    return window_.contains(picoseconds(at));
}

void link_trace::write(unsigned link, std::uint64_t transaction, const sc_core::sc_time& at,
                       std::string_view phase, std::string_view fields) {
    const std::uint64_t ps = picoseconds(at);
    if (ps != now_ps_) write_instant();
    now_ps_ = ps;
    std::string text = std::to_string(transaction);
    text.append(" ").append(phase);
    if (!fields.empty()) text.append(" ").append(fields);
    waiting_.push_back({link, transaction, std::move(text)});
}

/// Messages of one transaction keep their order.
void link_trace::write_instant() {
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const message& a, const message& b) {
        return std::tie(a.link, a.transaction) < std::tie(b.link, b.transaction);
    });
    const std::uint64_t cycle = core_.first_edge_after(now_ps_) - 1;
    for (const message& each : waiting_) {
        file_->stream() << cycle << ' ' << now_ps_ << ' ' << links_[each.link] << ' ' << each.text
                        << '\n';
    }
    waiting_.clear();
}

void link_trace::finish() {
    write_instant();
    file_->commit();
}

message_place message_counter::take(const void* payload, path via, unsigned phase) {
    const auto found = open_.find(payload);
    const transition* const taken =
        table_.find(found == open_.end() ? idle_state : found->second.state, via, phase);
    if (taken == nullptr) return {};
    message_place place;
    place.begins = found == open_.end();
    place.answers = taken->response;
    place.transaction = place.begins ? ++begun_ : found->second.number;
    if (taken->to == closed_state) {
        open_.erase(found);
    } else {
        open_[payload] = {place.transaction, taken->to, taken->response};
    }
    return place;
}

message_place message_counter::complete(const void* payload) {
    const auto found = open_.find(payload);
    if (found == open_.end()) return {};
    const message_place place{found->second.number, false, !found->second.answered};
    open_.erase(found);
    return place;
}

}  // namespace heddle::protocol
