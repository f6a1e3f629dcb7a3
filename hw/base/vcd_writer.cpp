// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/vcd_writer.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "models/base/error.h"

namespace heddle {
namespace {

constexpr std::size_t buffer_size = 64 * 1024;

/// Shortest code over the 94 printable characters that VCD allows.
std::string identifier(std::uint32_t index) {
    std::string code;
    for (std::uint64_t rest = std::uint64_t{index} + 1; rest != 0; rest = (rest - 1) / 94) {
        code += static_cast<char>('!' + (rest - 1) % 94);
    }
    return code;
}

std::vector<std::string> split(const std::string& name) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
        parts.push_back(name.substr(begin, dot - begin));
        begin = dot + 1;
    }
    parts.push_back(name.substr(begin));
    return parts;
}

/// VCD tokens end at white space.
std::string token(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c <= ' ' || c > '~'; }, '_');
    return text.empty() ? "_" : text;
}

/// Appends the lower `width` bits. A vector whose leading bits are left out is extended by 0 if
/// its first digit is 0 or 1 (§18.2.1), so that leading zeros need not be written.
void append_binary(std::string& out, std::uint64_t value, unsigned width) {
    if (width < 64) {
        value &= (std::uint64_t{1} << width) - 1;
    }
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

const char* type_name(vcd_writer::kind what) {
    switch (what) {
        case vcd_writer::kind::bits:
        case vcd_writer::kind::logic:
            return "wire";
        case vcd_writer::kind::integer:
            return "integer";
        case vcd_writer::kind::real:
            return "real";
        case vcd_writer::kind::state:
            return "string";
        case vcd_writer::kind::event:
            return "event";
    }
    return "wire";
}

}  // namespace

bool scope_selected(const std::string& pattern, const std::string& name) {
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) {
        return true;
    }
    for (std::size_t dot = name.find('.'); dot != std::string::npos;
         dot = name.find('.', dot + 1)) {
        if (fnmatch(pattern.c_str(), name.substr(0, dot).c_str(), 0) == 0) {
            return true;
        }
    }
    return false;
}

vcd_writer::vcd_writer(const std::string& path) : file_(path) {
    buffer_.reserve(buffer_size);
}

std::uint32_t vcd_writer::declare(const std::string& name, kind what, unsigned width,
                                  const std::vector<std::string>& state_names) {
    const auto fail = [&](const std::string& problem) {
        throw configuration_error("waveform '" + file_.destination().string() + "': variable '" +
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
    for (const std::string& state : state_names) {
        v.state_names.push_back(token(state));
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

void vcd_writer::start() {
    if (started_) {
        return;
    }
    started_ = true;
    write_header();
    put("#0\n$dumpvars\n");
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
    // A last time stamp, so that viewers show the run up to its end.
    put("#" + std::to_string(time_) + "\n");
    file_.stream().write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
    file_.commit();
}

bool vcd_writer::changed(const variable& v) const {
    switch (v.what) {
        case kind::event:
            return true;
        case kind::logic:
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
    if (!dirty_.empty()) {
        std::sort(dirty_.begin(), dirty_.end(), [this](std::uint32_t a, std::uint32_t b) {
            return variables_[a].rank < variables_[b].rank;
        });
        bool stamped = time_ == 0;  // the header has stamped time 0
        for (const std::uint32_t id : dirty_) {
            variable& v = variables_[id];
            v.dirty = false;
            if (!changed(v)) {
                continue;
            }
            if (!stamped) {
                char stamp[24];
                const int length = std::snprintf(stamp, sizeof stamp, "#%llu\n",
                                                 static_cast<unsigned long long>(time_));
                put({stamp, static_cast<std::size_t>(length)});
                stamped = true;
            }
            write_value(v);
        }
        dirty_.clear();
    }
    time_ = next_time;
}

void vcd_writer::write_header() {
    std::vector<std::uint32_t> order(variables_.size());
    for (std::uint32_t id = 0; id < order.size(); ++id) {
        order[id] = id;
    }
    std::vector<std::vector<std::string>> paths;
    for (const variable& v : variables_) {
        paths.push_back(split(v.name));
    }
    // Sorted by path, the members of a scope are neighbours.
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return paths[a] < paths[b]; });
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
        variables_[order[rank]].rank = rank;
        variables_[order[rank]].code = identifier(rank);
    }
    put("$date\n    fixed, so that equal runs give equal files\n$end\n");
    put("$version\n    Heddle\n$end\n$timescale\n    1 ps\n$end\n");
    write_declarations(order);
    put("$enddefinitions $end\n");
}

void vcd_writer::write_declarations(const std::vector<std::uint32_t>& order) {
    std::vector<std::string> open;
    for (const std::uint32_t id : order) {
        const variable& v = variables_[id];
        std::vector<std::string> path = split(v.name);
        const std::string leaf = token(path.back());
        path.pop_back();
        const auto common = static_cast<std::size_t>(
            std::mismatch(open.begin(), open.end(), path.begin(), path.end()).first - open.begin());
        for (; open.size() > common; open.pop_back()) {
            put("$upscope $end\n");
        }
        for (; open.size() < path.size(); open.push_back(path[open.size()])) {
            put("$scope module " + token(path[open.size()]) + " $end\n");
        }
        const unsigned width = v.what == kind::state || v.what == kind::event ? 1 : v.width;
        put(std::string("$var ") + type_name(v.what) + " " + std::to_string(width) + " " + v.code +
            " " + leaf +
            (width > 1 && v.what != kind::real && v.what != kind::integer
                 ? " [" + std::to_string(width - 1) + ":0]"
                 : std::string()) +
            " $end\n");
    }
    for (; !open.empty(); open.pop_back()) {
        put("$upscope $end\n");
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
        case kind::state:
            line_ += 's';
            line_ +=
                v.value < v.state_names.size() ? v.state_names[v.value] : std::to_string(v.value);
            line_ += ' ';
            break;
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
        file_.stream().write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.clear();
    }
    buffer_ += text;
}

}  // namespace heddle
