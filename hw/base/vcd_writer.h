// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "hw/base/trace_output.h"

namespace heddle {

/// A part of simulated time, both ends included, in ps.
struct time_window {
    std::uint64_t from = 0;
    std::uint64_t to = std::numeric_limits<std::uint64_t>::max();

    [[nodiscard]] bool contains(std::uint64_t time) const noexcept {
        return from <= time && time <= to;
    }
};

/// Writes value changes into a VCD file (IEEE 1364-2005 §18); make_wave_output() chooses the format
/// by the name of the file. Contains no SystemC.
///
/// Variables are declared first; the first start() writes the header. Changes are kept until the
/// time advances. The last change of a variable in an instant counts. The changes of one instant
/// are written in the order of the names, so the bytes do not depend on the order of the calls.
///
/// With a window the file begins at the start of the window, with the values at that time, and ends
/// at its end.
///
/// A state is written as a number, which viewers translate. The numbers of each list of names have
/// a width of their own, so the width tells which list a number belongs to. A comment in the header
/// has all lists.
class vcd_writer {
public:
    enum class kind : std::uint8_t {
        bits,     ///< two-valued vector
        logic,    ///< four-valued vector, one character a bit
        integer,  ///< 64-bit signed
        real,
        state,  ///< one of a list of names
        text,
        event  ///< an instant
    };

    /// Throws configuration_error if the file can't be written.
    explicit vcd_writer(const std::string& path, time_window window = {});

    /// Throws configuration_error for a name declared twice or too late, or a width of 0.
    std::uint32_t declare(const std::string& name, kind what, unsigned width,
                          const std::vector<std::string>& state_names = {});
    /// Writes the header with the values set so far, at time 0. Idempotent.
    void start();
    [[nodiscard]] bool started() const noexcept { return started_; }

    /// Advances to `time` (ps), which is not before the present time.
    void advance(std::uint64_t time) {
        if (time != time_) {
            flush(time);
        }
    }
    void set(std::uint32_t id, std::uint64_t value) {
        variable& v = variables_[id];
        if (v.value == value && v.set_before) {
            return;
        }
        v.value = value;
        mark(id);
    }
    /// ceil(width / 64) words, least significant first.
    void set_words(std::uint32_t id, const std::uint64_t* words);
    /// Four-valued vector: one of 0 1 x z per bit, most significant first.
    void set_logic(std::uint32_t id, const std::string& bits);
    /// Characters that VCD does not allow become '_'; an empty text '-'.
    void set_text(std::uint32_t id, std::string_view text);
    void comment(const std::string& text) { comments_ += text + '\n'; }

    /// Writes the remaining changes, with the end of the run as the last time stamp, and completes
    /// the file.
    void close(std::uint64_t end_time);

    [[nodiscard]] std::size_t variable_count() const noexcept { return variables_.size(); }
    /// The width of a state is known after start().
    [[nodiscard]] unsigned width(std::uint32_t id) const { return variables_[id].width; }
    [[nodiscard]] const std::vector<std::string>& state_names(std::uint32_t id) const {
        return variables_[id].state_names;
    }
    [[nodiscard]] const std::string& name(std::uint32_t id) const { return variables_[id].name; }
    [[nodiscard]] kind kind_of(std::uint32_t id) const { return variables_[id].what; }
    /// First and last time (ps) that the file shows, after close().
    [[nodiscard]] std::uint64_t begin_time() const noexcept { return begin_; }
    [[nodiscard]] std::uint64_t time() const noexcept { return time_; }
    /// The window has ended: changes have no effect any more.
    [[nodiscard]] bool ended() const noexcept { return time_ > window_.to; }

private:
    struct variable {
        std::string name;
        kind what;
        bool set_before = false;  ///< has a value
        bool dirty = false;
        unsigned width;
        std::uint32_t rank = 0;     ///< position in the order of names
        std::uint64_t value = 0;    ///< present value; real: its bits
        std::uint64_t written = 0;  ///< value in the file
        std::string text;           ///< present value of a text, a logic or wide vector
        std::string written_text;
        std::vector<std::string> state_names;
        std::string code;
    };

    void mark(std::uint32_t id) {
        variable& v = variables_[id];
        v.set_before = true;
        if (!v.dirty) {
            v.dirty = true;
            dirty_.push_back(id);
        }
    }
    void flush(std::uint64_t next_time);
    void write_changes();
    void write_all(std::uint64_t time);
    void write_header();
    void choose_state_widths();
    void write_declarations(const std::vector<std::uint32_t>& order);
    void write_value(variable& v);
    [[nodiscard]] bool changed(const variable& v) const;
    void put(std::string_view text);

    std::unique_ptr<trace_output> file_;
    const time_window window_;
    std::string buffer_;
    std::string line_;
    std::vector<variable> variables_;
    std::unordered_set<std::string> names_;
    std::vector<std::uint32_t> dirty_;
    std::string comments_;
    std::uint64_t time_ = 0;
    std::uint64_t begin_ = 0;    ///< first time (ps) that the file shows
    std::uint64_t stamped_ = 0;  ///< last time stamp
    bool started_ = false;       ///< the header is written
    bool all_written_ = false;   ///< the first values are written
};

/// VCD's tokens are printable characters without white space: others become '_'.
[[nodiscard]] std::string vcd_token(std::string text);

}  // namespace heddle
