// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/trace_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "hw/protocol/link_rules.h"

namespace heddle::protocol {

namespace {

constexpr std::size_t flush_bytes = std::size_t{1} << 16;
constexpr std::uint64_t picoseconds_per_microsecond = 1'000'000;
/// Numbers of lanes between two tracks of a block, more than transactions that can be under way.
constexpr unsigned lanes_per_track = 10'000;

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

trace_writer::trace_writer(const std::filesystem::path& file, trace_selection selection)
    : file_(make_trace_output(file)), selection_(std::move(selection)), scopes_(selection_.scopes) {
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

void trace_writer::begin_metadata(std::string_view what, unsigned owner) {
    begin_event();
    buffer_ += "{\"ph\":\"M\",\"name\":\"";
    buffer_.append(what) += "\",\"pid\":";
    append_number(buffer_, owner);
}

void trace_writer::flush() {
    file_->stream().write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
}

unsigned trace_writer::add_track(const std::string& owner, std::string_view label) {
    const auto next = static_cast<unsigned>(owners_.size()) + 1;
    const auto [found, is_new] = owners_.try_emplace(owner, owner_state{next, 0});
    owner_state& block = found->second;
    if (is_new) {
        begin_metadata("process_name", block.id);
        buffer_ += ",\"args\":{\"name\":\"";
        append_json(buffer_, owner);
        buffer_ += "\"}}";
        begin_metadata("process_sort_index", block.id);
        buffer_ += ",\"args\":{\"sort_index\":";
        append_number(buffer_, block.id);
        buffer_ += "}}";
    }
    tracks_.push_back(
        {block.id, block.tracks++ * lanes_per_track, std::string(label.empty() ? "lane" : label)});
    return static_cast<unsigned>(tracks_.size()) - 1;
}

void trace_writer::put_lane(unsigned track, unsigned lane) {
    append_number(buffer_, tracks_[track].first_lane + lane % lanes_per_track);
}

void trace_writer::add_lane(unsigned track, unsigned lane) {
    const track_state& whose = tracks_[track];
    begin_metadata("thread_name", whose.owner);
    buffer_ += ",\"tid\":";
    put_lane(track, lane);
    buffer_ += ",\"args\":{\"name\":\"";
    append_json(buffer_, whose.label);
    buffer_ += ' ';
    append_number(buffer_, lane);
    buffer_ += "\"}}";
    begin_metadata("thread_sort_index", whose.owner);
    buffer_ += ",\"tid\":";
    put_lane(track, lane);
    buffer_ += ",\"args\":{\"sort_index\":";
    put_lane(track, lane);
    buffer_ += "}}";
}

void trace_writer::write(const slice& what) {
    if (what.end_ps < selection_.window.from || what.begin_ps > selection_.window.to) {
        return;
    }
    begin_event();
    buffer_ += "{\"ph\":\"X\",\"name\":\"";
    append_json(buffer_, what.name);
    if (!what.category.empty()) {
        buffer_ += "\",\"cat\":\"";
        append_json(buffer_, what.category);
    }
    buffer_ += "\",\"pid\":";
    append_number(buffer_, tracks_[what.track].owner);
    buffer_ += ",\"tid\":";
    put_lane(what.track, what.lane);
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

void trace_writer::write_instant(unsigned track, unsigned lane, std::string_view name,
                                 std::uint64_t at_ps) {
    if (!selection_.window.contains(at_ps)) return;
    begin_event();
    buffer_ += "{\"ph\":\"i\",\"s\":\"t\",\"name\":\"";
    append_json(buffer_, name);
    buffer_ += "\",\"pid\":";
    append_number(buffer_, tracks_[track].owner);
    buffer_ += ",\"tid\":";
    put_lane(track, lane);
    buffer_ += ",\"ts\":";
    append_microseconds(buffer_, at_ps);
    buffer_ += '}';
}

void trace_writer::finish() {
    buffer_ += "\n]}\n";
    flush();
    file_->commit();
}

}  // namespace heddle::protocol
