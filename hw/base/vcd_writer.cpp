// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/vcd_writer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "models/base/bits.h"
#include "models/base/error.h"

namespace heddle {
namespace {

constexpr std::size_t buffer_size = 64 * 1024;
constexpr const char* no_text = "-";

/// Appends the lower `width` bits. A vector whose leading bits are left out is extended by 0 if
/// its first digit is 0 or 1 (§18.2.1), so that leading zeros need not be written.
void append_binary(std::string& out, std::uint64_t value, unsigned width) {
    value &= bits::below(width);
    const unsigned digits = value == 0 ? 1 : 64 - static_cast<unsigned>(__builtin_clzll(value));
    for (unsigned bit = digits; bit-- > 0;) {
        out += (value >> bit) & 1 ? '1' : '0';
    }
}

std::string_view without_leading_zeros(std::string_view bits) {
    const std::size_t first = bits.find_first_not_of('0');
    return first == std::string_view::npos ? bits.substr(bits.size() - 1)
           : bits[first] == '1'            ? bits.substr(first)
                                           : bits;
}

}  // namespace

std::string vcd_token(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c <= ' ' || c > '~'; }, '_');
    return text.empty() ? "_" : text;
}

vcd_writer::vcd_writer(const std::string& path, time_window window)
    : file_(make_wave_output(path)), window_(window) {
    buffer_.reserve(buffer_size);
}

std::uint32_t vcd_writer::declare(const std::string& name, kind what, unsigned width,
                                  const std::vector<std::string>& state_names) {
    const auto fail = [&](const std::string& problem) {
        throw configuration_error("waveform '" + file_->destination().string() + "': variable '" +
                                  name + "' " + problem);
    };
    if (started_) {
        fail("is declared after the first time step");
    }
    if (width == 0) {
        fail("has a width of 0 bits; 1 or more would be legal");
    }
    if (!names_.insert(name).second) {
        fail("is declared twice");
    }
    variable v;
    v.name = name;
    v.what = what;
    v.width = width;
    if (what == kind::logic) {
        v.text.assign(width, 'x');
    }
    if (what == kind::bits && width > 64) {
        v.text.assign(width, '0');
    }
    if (what == kind::text) {
        v.text = no_text;
    }
    for (const std::string& state : state_names) {
        v.state_names.push_back(vcd_token(state));
    }
    variables_.push_back(std::move(v));
    return static_cast<std::uint32_t>(variables_.size() - 1);
}

void vcd_writer::set_words(std::uint32_t id, const std::uint64_t* words) {
    variable& v = variables_[id];
    if (v.width <= 64) {
        set(id, v.width == 64 ? words[0] : words[0] & ((std::uint64_t{1} << v.width) - 1));
        return;
    }
    for (unsigned bit = 0; bit < v.width; ++bit) {
        v.text[v.width - 1 - bit] = static_cast<char>('0' + ((words[bit / 64] >> (bit % 64)) & 1));
    }
    mark(id);
}

void vcd_writer::set_logic(std::uint32_t id, const std::string& bits) {
    variable& v = variables_[id];
    if (v.text == bits && v.set_before) {
        return;
    }
    v.text = bits;
    mark(id);
}

void vcd_writer::set_text(std::uint32_t id, std::string_view text) {
    set_logic(id, text.empty() ? no_text : vcd_token(std::string(text)));
}

void vcd_writer::start() {
    if (started_) {
        return;
    }
    started_ = true;
    write_header();
    if (window_.from == 0) {
        write_all(0);
    }
}

/// The first values of the file, at `time`.
void vcd_writer::write_all(std::uint64_t time) {
    all_written_ = true;
    begin_ = stamped_ = time;
    put("#" + std::to_string(time) + "\n$dumpvars\n");
    std::vector<std::uint32_t> order(variables_.size());
    for (std::uint32_t id = 0; id < order.size(); ++id) {
        order[variables_[id].rank] = id;
    }
    for (const std::uint32_t id : order) {
        if (variables_[id].what != kind::event) {
            write_value(variables_[id]);
        }
        variables_[id].dirty = false;
    }
    dirty_.clear();
    put("$end\n");
}

void vcd_writer::close(std::uint64_t end_time) {
    start();
    flush(std::max(end_time, time_));
    time_ = std::min(time_, window_.to);
    if (!all_written_) {  // the run has not reached the window
        write_all(time_);
    }
    // A last time stamp, so that viewers show the run up to its end.
    put("#" + std::to_string(time_) + "\n");
    file_->stream().write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
    file_->commit();
}

bool vcd_writer::changed(const variable& v) const {
    switch (v.what) {
        case kind::event:
            return true;
        case kind::logic:
        case kind::text:
            return v.text != v.written_text;
        case kind::bits:
            return v.width > 64 ? v.text != v.written_text : v.value != v.written;
        default:
            return v.value != v.written;
    }
}

void vcd_writer::flush(std::uint64_t next_time) {
    if (!comments_.empty()) {
        std::size_t end = 0;
        while ((end = comments_.find("$end")) != std::string::npos) {
            comments_.erase(end, 1);
        }
        put("$comment\n" + comments_ + "$end\n");
        comments_.clear();
    }
    if (window_.contains(time_)) {
        write_changes();
    } else {
        for (const std::uint32_t id : dirty_) {
            variables_[id].dirty = false;
        }
    }
    dirty_.clear();
    if (!all_written_ && started_ && next_time >= window_.from) {
        write_all(window_.from);
    }
    time_ = next_time;
}

void vcd_writer::write_changes() {
    std::sort(dirty_.begin(), dirty_.end(), [this](std::uint32_t a, std::uint32_t b) {
        return variables_[a].rank < variables_[b].rank;
    });
    for (const std::uint32_t id : dirty_) {
        variable& v = variables_[id];
        v.dirty = false;
        if (!changed(v)) {
            continue;
        }
        if (stamped_ != time_) {
            char stamp[24];
            const int length = std::snprintf(stamp, sizeof stamp, "#%llu\n",
                                             static_cast<unsigned long long>(time_));
            put({stamp, static_cast<std::size_t>(length)});
            stamped_ = time_;
        }
        write_value(v);
    }
}

void vcd_writer::write_value(variable& v) {
    line_.clear();
    switch (v.what) {
        case kind::event:
            line_ = "1";
            break;
        case kind::real: {
            double value = 0;
            std::memcpy(&value, &v.value, sizeof value);
            char text[40];
            std::snprintf(text, sizeof text, "r%.17g ", value);
            line_ = text;
            break;
        }
        case kind::text:
            line_ += 's';
            line_ += v.text;
            line_ += ' ';
            break;
        case kind::state:
        case kind::bits:
        case kind::logic:
        case kind::integer:
            if (v.width > 1) {
                line_ += 'b';
            }
            if (v.text.empty()) {
                append_binary(line_, v.value, v.width);
            } else {
                line_ += without_leading_zeros(v.text);
            }
            if (v.width > 1) {
                line_ += ' ';
            }
            break;
    }
    v.written = v.value;
    if (!v.text.empty()) {
        v.written_text = v.text;
    }
    line_ += v.code;
    line_ += '\n';
    put(line_);
}

void vcd_writer::put(std::string_view text) {
    if (buffer_.size() + text.size() > buffer_size) {
        file_->stream().write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.clear();
    }
    buffer_ += text;
}

}  // namespace heddle
