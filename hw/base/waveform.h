// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "hw/base/scope_filter.h"
#include "hw/base/vcd_writer.h"

namespace heddle {

class waveform;

/// Handles of declared variables. A handle is off if it is default-constructed or if the scope
/// filter has left its variable out. set() of such a handle costs one branch. set() is called from
/// update() (or before the start, for the initial value); the last value of an instant counts, and
/// an equal value adds nothing to the file.
class wave_bits {
public:
    wave_bits() = default;
    /// The lower `width` bits of `value`.
    inline void set(std::uint64_t value);
    /// ceil(width / 64) words, least significant first.
    inline void set(const std::uint64_t* words);
    [[nodiscard]] bool on() const noexcept { return sink_ != nullptr; }

private:
    friend class waveform;
    waveform* sink_ = nullptr;
    std::uint32_t id_ = 0;
};

class wave_integer {
public:
    wave_integer() = default;
    inline void set(std::int64_t value);
    [[nodiscard]] bool on() const noexcept { return sink_ != nullptr; }

private:
    friend class waveform;
    waveform* sink_ = nullptr;
    std::uint32_t id_ = 0;
};

/// A short text, as a name; "-" until it is set, and for an empty one.
class wave_text {
public:
    wave_text() = default;
    inline void set(std::string_view text);
    [[nodiscard]] bool on() const noexcept { return sink_ != nullptr; }

private:
    friend class waveform;
    waveform* sink_ = nullptr;
    std::uint32_t id_ = 0;
};

/// An enumeration, shown by its names.
class wave_state {
public:
    wave_state() = default;
    /// Index into the names; beyond them (less than the next power of two) the number is shown.
    inline void set(std::uint64_t index);
    [[nodiscard]] bool on() const noexcept { return sink_ != nullptr; }

private:
    friend class waveform;
    waveform* sink_ = nullptr;
    std::uint32_t id_ = 0;
};

struct waveform_options {
    /// Glob patterns (* ? [abc]) over hierarchical names; a pattern that matches a scope selects
    /// everything below it. Empty: everything.
    std::vector<std::string> scopes;
    time_window window = {};  ///< the time that the file shows
};

/// A VCD or FST file (see make_wave_output) behind the standard sc_trace_file interface.
///
/// Modules declare their variables once, in their constructor or start_of_simulation(), and push
/// changes; sc_trace(file, signal_or_variable, name) works, too, but is sampled at every time step.
/// Scopes follow the dots of the names. Two runs give identical bytes: variables are ordered by
/// name, changes of one instant by variable, the date is fixed. Time unit 1 ps. Memory is bounded
/// by the number of variables. The file appears under its name when it is complete: at close(), or
/// when the sink is destroyed.
///
/// Errors: configuration_error if the file can't be written, a name is declared twice or after
/// the first time step, or a width is 0.
class waveform : public sc_core::sc_trace_file {
public:
    explicit waveform(const std::string& path, const waveform_options& options = {});
    ~waveform() override;
    waveform(const waveform&) = delete;
    waveform& operator=(const waveform&) = delete;

    wave_bits declare_bits(const std::string& name, unsigned width);
    wave_integer declare_integer(const std::string& name);
    wave_text declare_text(const std::string& name);
    wave_state declare_state(const std::string& name, const std::vector<std::string>& names);

    /// Completes the file. Changes after that are ignored.
    void close();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] std::size_t variable_count() const noexcept { return writer_.variable_count(); }
    /// Names, kinds and widths of the variables, and the last time, for views of the file.
    [[nodiscard]] const vcd_writer& contents() const noexcept { return writer_; }
    /// Which variables are selected, and which were offered.
    [[nodiscard]] const scope_filter& scopes() const noexcept { return scopes_; }

    // sc_trace_file
#define HEDDLE_TRACE(type) void trace(const type& object, const std::string& name) override;
#define HEDDLE_TRACE_WIDTH(type) \
    void trace(const type& object, const std::string& name, int width) override;
    HEDDLE_TRACE(sc_core::sc_event)
    HEDDLE_TRACE(sc_core::sc_time)
    HEDDLE_TRACE(bool)
    HEDDLE_TRACE(sc_dt::sc_bit)
    HEDDLE_TRACE(sc_dt::sc_logic)
    HEDDLE_TRACE_WIDTH(unsigned char)
    HEDDLE_TRACE_WIDTH(unsigned short)
    HEDDLE_TRACE_WIDTH(unsigned int)
    HEDDLE_TRACE_WIDTH(unsigned long)
    HEDDLE_TRACE_WIDTH(char)
    HEDDLE_TRACE_WIDTH(short)
    HEDDLE_TRACE_WIDTH(int)
    HEDDLE_TRACE_WIDTH(long)
    HEDDLE_TRACE_WIDTH(sc_dt::int64)
    HEDDLE_TRACE_WIDTH(sc_dt::uint64)
    HEDDLE_TRACE(float)
    HEDDLE_TRACE(double)
    HEDDLE_TRACE(sc_dt::sc_int_base)
    HEDDLE_TRACE(sc_dt::sc_uint_base)
    HEDDLE_TRACE(sc_dt::sc_signed)
    HEDDLE_TRACE(sc_dt::sc_unsigned)
    HEDDLE_TRACE(sc_dt::sc_fxval)
    HEDDLE_TRACE(sc_dt::sc_fxval_fast)
    HEDDLE_TRACE(sc_dt::sc_fxnum)
    HEDDLE_TRACE(sc_dt::sc_fxnum_fast)
    HEDDLE_TRACE(sc_dt::sc_bv_base)
    HEDDLE_TRACE(sc_dt::sc_lv_base)
#undef HEDDLE_TRACE
#undef HEDDLE_TRACE_WIDTH
    void trace(const unsigned int& object, const std::string& name,
               const char** enum_literals) override;
    void write_comment(const std::string& comment) override;
    /// The unit is fixed at 1 ps; anything else is reported as a warning and ignored.
    void set_time_unit(double v, sc_core::sc_time_unit unit) override;

protected:
    void cycle(bool delta_cycle) override;

private:
    friend class wave_bits;
    friend class wave_integer;
    friend class wave_text;
    friend class wave_state;
    class delta_hook;
    class sampler;
    template <class Read>
    class sampler_of;

    std::uint32_t declare(const std::string& name, vcd_writer::kind what, unsigned width,
                          const std::vector<std::string>& states = {});
    template <class Read>
    void sample(const std::string& name, vcd_writer::kind what, unsigned width, Read read,
                const std::vector<std::string>& states = {});
    void push(std::uint32_t id, std::uint64_t value) {
        if (ready()) {
            writer_.set(id, value);
        }
    }
    void push(std::uint32_t id, const std::uint64_t* words) {
        if (ready()) {
            writer_.set_words(id, words);
        }
    }
    void push_text(std::uint32_t id, std::string_view text) {
        if (ready()) {
            writer_.set_text(id, text);
        }
    }
    /// Brings the writer to the present time; false when the window has ended.
    bool ready();

    std::string path_;
    scope_filter scopes_;
    vcd_writer writer_;
    std::vector<std::unique_ptr<sampler>> samplers_;
    std::unique_ptr<delta_hook> hook_;  ///< null: nothing is sampled
    bool closed_ = false;
    std::uint64_t now_ticks_ = 0;
    std::uint64_t ticks_per_ps_ = 0;  ///< 0 until the simulation runs
};

inline void wave_bits::set(std::uint64_t value) {
    if (sink_ != nullptr) {
        sink_->push(id_, value);
    }
}
inline void wave_bits::set(const std::uint64_t* words) {
    if (sink_ != nullptr) {
        sink_->push(id_, words);
    }
}
inline void wave_integer::set(std::int64_t value) {
    if (sink_ != nullptr) {
        sink_->push(id_, static_cast<std::uint64_t>(value));
    }
}
inline void wave_text::set(std::string_view text) {
    if (sink_ != nullptr) {
        sink_->push_text(id_, text);
    }
}
inline void wave_state::set(std::uint64_t index) {
    if (sink_ != nullptr) {
        sink_->push(id_, index);
    }
}

}  // namespace heddle
