// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/transaction_recorder.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heddle::protocol {

namespace {

constexpr std::size_t flush_bytes = std::size_t{1} << 16;
constexpr std::uint64_t picoseconds_per_microsecond = 1'000'000;

void append_number(std::string& out, std::uint64_t value, int base = 10) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base);
    out.append(digits.data(), end.ptr);
}

/// Microseconds with six decimals, exactly.
void append_microseconds(std::string& out, std::uint64_t ps) {
    append_number(out, ps / picoseconds_per_microsecond);
    std::uint64_t rest = ps % picoseconds_per_microsecond;
    if (rest == 0) {
        return;
    }
    out += '.';
    for (std::uint64_t unit = picoseconds_per_microsecond / 10; rest != 0; unit /= 10) {
        out += static_cast<char>('0' + rest / unit);
        rest %= unit;
    }
}

}  // namespace

std::uint64_t picoseconds(const sc_core::sc_time& time) {
    const double unit_ps = sc_core::sc_get_time_resolution().to_seconds() * 1e12;
    if (unit_ps >= 1) {
        return time.value() * static_cast<std::uint64_t>(std::llround(unit_ps));
    }
    return time.value() / static_cast<std::uint64_t>(std::llround(1 / unit_ps));
}

// ---- trace_writer -----------------------------------------------------------------------------

trace_writer::trace_writer(const std::filesystem::path& file) : file_(file) {
    buffer_.reserve(flush_bytes + 4096);
    buffer_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
}

void trace_writer::begin_event() {
    if (buffer_.size() >= flush_bytes) {
        flush();
    }
    buffer_ += first_ ? "\n" : ",\n";
    first_ = false;
}

void trace_writer::flush() {
    file_.stream().write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
}

unsigned trace_writer::add_track(std::string_view name) {
    const unsigned track = ++tracks_;
    begin_event();
    buffer_ += "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":";
    append_number(buffer_, track);
    buffer_ += ",\"args\":{\"name\":\"";
    append_json(buffer_, name);
    buffer_ += "\"}}";
    return track;
}

void trace_writer::add_lane(unsigned track, unsigned lane) {
    begin_event();
    buffer_ += "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":";
    append_number(buffer_, track);
    buffer_ += ",\"tid\":";
    append_number(buffer_, lane);
    buffer_ += ",\"args\":{\"name\":\"lane ";
    append_number(buffer_, lane);
    buffer_ += "\"}}";
}

void trace_writer::write(const slice& what) {
    begin_event();
    buffer_ += "{\"ph\":\"X\",\"name\":\"";
    append_json(buffer_, what.name);
    buffer_ += "\",\"cat\":\"";
    append_json(buffer_, what.category);
    buffer_ += "\",\"pid\":";
    append_number(buffer_, what.track);
    buffer_ += ",\"tid\":";
    append_number(buffer_, what.lane);
    buffer_ += ",\"ts\":";
    append_microseconds(buffer_, what.begin_ps);
    buffer_ += ",\"dur\":";
    append_microseconds(buffer_, what.end_ps - what.begin_ps);
    if (what.flow != 0) {
        buffer_ += ",\"bind_id\":\"0x";
        append_number(buffer_, what.flow, 16);
        buffer_ += what.flow_starts ? "\",\"flow_out\":true" : "\",\"flow_in\":true";
    }
    if (!what.arguments.empty()) {
        buffer_.append(",\"args\":{").append(what.arguments) += '}';
    }
    buffer_ += '}';
}

void trace_writer::finish() {
    buffer_ += "\n]}\n";
    flush();
    file_.commit();
}

// ---- link_recorder ----------------------------------------------------------------------------

link_recorder::link_recorder(trace_writer& writer, std::string_view name, const rule_table& table)
    : writer_(writer), table_(table), track_(writer.add_track(name)) {}

bool link_recorder::begins(const void* payload, path via, unsigned phase) const {
    return table_.find(idle_state, via, phase) != nullptr && open_.count(payload) == 0;
}

unsigned link_recorder::take_lane(std::uint64_t begin_ps) {
    const auto fits = [&](const lane_state& lane) {
        return !lane.busy && lane.free_from_ps <= begin_ps;
    };
    const auto found = std::find_if(lanes_.begin(), lanes_.end(), fits);
    const auto lane = static_cast<unsigned>(found - lanes_.begin());
    if (found == lanes_.end()) {
        lanes_.emplace_back();
        writer_.add_lane(track_, lane);
    }
    return lane;
}

void link_recorder::begin(const void* payload, path via, unsigned phase, const sc_core::sc_time& at,
                          attributes what) {
    const transition* taken = table_.find(idle_state, via, phase);
    const std::uint64_t ps = picoseconds(at);
    const unsigned lane = take_lane(ps);
    lanes_[lane].busy = true;
    open_transaction fresh{++begun_, lane, {}, {}, 1, std::move(what)};
    fresh.begin_ps[0] = ps;
    fresh.state[0] = taken->to;
    open_.emplace(payload, std::move(fresh));
}

void link_recorder::step(const void* payload, path via, unsigned phase,
                         const sc_core::sc_time& at) {
    const auto found = open_.find(payload);
    if (found == open_.end()) {
        return;
    }
    open_transaction& open = found->second;
    const transition* taken = table_.find(open.state[open.stamps - 1], via, phase);
    if (taken == nullptr) {
        return;
    }
    if (taken->to == closed_state) {
        complete(payload, at);
    } else if (open.stamps < maximum_stamps) {
        open.begin_ps[open.stamps] = std::max(picoseconds(at), open.begin_ps[open.stamps - 1]);
        open.state[open.stamps] = taken->to;
        ++open.stamps;
    }
}

void link_recorder::complete(const void* payload, const sc_core::sc_time& at) {
    const auto found = open_.find(payload);
    if (found == open_.end()) {
        return;
    }
    write(found->second, picoseconds(at));
    open_.erase(found);
}

std::string_view link_recorder::title(const attributes& what) const {
    return what.title.empty() ? table_.link : std::string_view(what.title);
}

void link_recorder::write(const open_transaction& open, std::uint64_t end_ps) {
    const std::uint64_t end = std::max(end_ps, open.begin_ps[open.stamps - 1]);
    trace_writer::slice slice{track_,      open.lane,           title(open.what),
                              table_.link, open.what.arguments, open.begin_ps[0],
                              end,         open.what.flow_in,   false};
    writer_.write(slice);
    slice.arguments = {};
    slice.flow_starts = true;
    for (unsigned i = 0; i < open.stamps; ++i) {
        slice.name = table_.state_name(open.state[i]);
        slice.begin_ps = open.begin_ps[i];
        slice.end_ps = i + 1 < open.stamps ? open.begin_ps[i + 1] : end;
        slice.flow = open.state[i] == table_.flow_state ? open.what.flow_out : 0;
        writer_.write(slice);
    }
    lanes_[open.lane] = {false, end};
}

void link_recorder::write_call(const sc_core::sc_time& begin, const sc_core::sc_time& end,
                               const attributes& what) {
    const std::uint64_t begin_ps = picoseconds(begin);
    const std::uint64_t end_ps = std::max(picoseconds(end), begin_ps);
    const unsigned lane = take_lane(begin_ps);
    lanes_[lane].free_from_ps = end_ps;
    writer_.write({track_, lane, title(what), table_.link, what.arguments, begin_ps, end_ps,
                   what.flow_in, false});
}

void link_recorder::finish() {
    std::vector<const open_transaction*> sorted;
    sorted.reserve(open_.size());
    for (const auto& [payload, open] : open_) {
        sorted.push_back(&open);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* a, const auto* b) { return a->number < b->number; });
    const std::uint64_t now = picoseconds(sc_core::sc_time_stamp());
    for (const open_transaction* open : sorted) {
        write(*open, now);
    }
    open_.clear();
}

}  // namespace heddle::protocol
