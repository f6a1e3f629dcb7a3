// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#define SC_INCLUDE_FX
#include "hw/base/waveform.h"

#include <exception>
#include <iostream>
#include <type_traits>

#include "hw/base/present.h"
#include "models/base/bits.h"

namespace heddle {

using kind = vcd_writer::kind;

/// Reads one traced object at every time step.
class waveform::sampler {
public:
    virtual ~sampler() = default;
    virtual void sample(vcd_writer& writer) = 0;
};

/// `Read` returns an integer, a double, a string of bits, or, for events, whether it happened.
template <class Read>
class waveform::sampler_of final : public sampler {
public:
    sampler_of(std::uint32_t id, kind what, Read read) : id_(id), what_(what), read_(read) {}

    void sample(vcd_writer& writer) override {
        if constexpr (std::is_same_v<decltype(read_()), std::string>) {
            writer.set_logic(id_, read_());
        } else if constexpr (std::is_same_v<decltype(read_()), double>) {
            const double value = read_();
            std::uint64_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            writer.set(id_, bits);
        } else if (what_ == kind::event) {
            if (read_() != 0) {
                writer.set(id_, ++count_);
            }
        } else {
            writer.set(id_, read_());
        }
    }

private:
    std::uint32_t id_;
    kind what_;
    Read read_;
    std::uint64_t count_ = 0;
};

/// Has the kernel call cycle() of a waveform after the updates of each delta cycle. IEEE 1666-2023
/// has stage callbacks for it; SystemC before 3 calls the trace files that it knows.
#if IEEE_1666_SYSTEMC < 202301L
class waveform::delta_hook {
public:
    explicit delta_hook(waveform& of) : of_(of) {
        sc_core::sc_get_curr_simcontext()->add_trace_file(&of_);
    }
    ~delta_hook() { sc_core::sc_get_curr_simcontext()->remove_trace_file(&of_); }
    delta_hook(const delta_hook&) = delete;
    delta_hook& operator=(const delta_hook&) = delete;

private:
    waveform& of_;
};
#else
class waveform::delta_hook final : public sc_core::sc_stage_callback_if {
public:
    explicit delta_hook(waveform& of) : of_(of) {
        sc_core::sc_register_stage_callback(*this, sc_core::SC_POST_UPDATE);
    }
    ~delta_hook() override {
        sc_core::sc_unregister_stage_callback(*this, sc_core::SC_POST_UPDATE);
    }
    delta_hook(const delta_hook&) = delete;
    delta_hook& operator=(const delta_hook&) = delete;

    void stage_callback(const sc_core::sc_stage&) override { of_.cycle(true); }

private:
    waveform& of_;
};
#endif

waveform::waveform(const std::string& path, const waveform_options& options)
    : path_(path), scopes_(options.scopes), writer_(path, options.window) {}

waveform::~waveform() {
    hook_.reset();
    // After an exception the file would look whole and is not: it must not appear.
    if (closed_ || std::uncaught_exceptions() != 0) {
        return;
    }
    try {
        close();
    } catch (const std::exception& error) {
        std::cerr << "heddle: " << error.what() << '\n';
    }
}

std::uint32_t waveform::declare(const std::string& name, kind what, unsigned width,
                                const std::vector<std::string>& states) {
    return writer_.declare(name, what, width, states);
}

wave_bits waveform::declare_bits(const std::string& name, unsigned width) {
    wave_bits handle;
    if (scopes_.selects(name)) {
        handle.id_ = declare(name, kind::bits, width);
        handle.sink_ = this;
    }
    return handle;
}

wave_integer waveform::declare_integer(const std::string& name) {
    wave_integer handle;
    if (scopes_.selects(name)) {
        handle.id_ = declare(name, kind::integer, 64);
        handle.sink_ = this;
    }
    return handle;
}

wave_text waveform::declare_text(const std::string& name) {
    wave_text handle;
    if (scopes_.selects(name)) {
        handle.id_ = declare(name, kind::text, 1);
        handle.sink_ = this;
    }
    return handle;
}

wave_state waveform::declare_state(const std::string& name, const std::vector<std::string>& names) {
    wave_state handle;
    if (scopes_.selects(name)) {
        handle.id_ = declare(name, kind::state, 1, names);
        handle.sink_ = this;
    }
    return handle;
}

bool waveform::ready() {
    if (ticks_per_ps_ == 0) {
        // What is set before the simulation runs are initial values.
        if (sc_core::sc_get_status() < sc_core::SC_RUNNING) {
            return !closed_;
        }
        ticks_per_ps_ = sc_core::sc_time(1, sc_core::SC_PS).value();
        if (!closed_) {
            writer_.start();
        }
    }
    if (closed_) {
        return false;
    }
    const std::uint64_t ticks = present::ticks();
    if (ticks != now_ticks_) {
        now_ticks_ = ticks;
        writer_.advance(ticks / ticks_per_ps_);
    }
    return !writer_.ended();
}

void waveform::close() {
    if (closed_) {
        return;
    }
    ready();
    closed_ = true;
    writer_.close(ticks_per_ps_ == 0 ? 0 : now_ticks_ / ticks_per_ps_);
}

void waveform::cycle(bool delta_cycle) {
    // Sampled after every delta, because the kernel announces no end of the last instant; the last
    // value of an instant counts.
    if (!delta_cycle || !ready()) {
        return;
    }
    for (const auto& one : samplers_) {
        one->sample(writer_);
    }
}

void waveform::write_comment(const std::string& comment) {
    writer_.comment(comment);
}

void waveform::set_time_unit(double v, sc_core::sc_time_unit unit) {
    if (v != 1 || unit != sc_core::SC_PS) {
        SC_REPORT_WARNING("/heddle/waveform/time_unit",
                          "the time unit of a waveform is fixed at 1 ps");
    }
}

template <class Read>
void waveform::sample(const std::string& name, kind what, unsigned width, Read read,
                      const std::vector<std::string>& states) {
    if (!scopes_.selects(name)) {
        return;
    }
    const std::uint32_t id = declare(name, what, width, states);
    if (hook_ == nullptr) hook_ = std::make_unique<delta_hook>(*this);
    samplers_.push_back(std::make_unique<sampler_of<Read>>(id, what, read));
}

namespace {

template <class Bits>
std::string bit_string(const Bits& object) {
    std::string text(static_cast<std::size_t>(object.length()), '0');
    for (int bit = 0; bit < object.length(); ++bit) {
        const char digit = sc_dt::sc_logic(object.get_bit(bit)).to_char();
        text[text.size() - 1 - static_cast<std::size_t>(bit)] =
            digit == 'X' ? 'x' : (digit == 'Z' ? 'z' : digit);
    }
    return text;
}

template <class Number>
std::string number_string(const Number& object) {
    std::string text(static_cast<std::size_t>(object.length()), '0');
    for (int bit = 0; bit < object.length(); ++bit) {
        if (object.test(bit)) {
            text[text.size() - 1 - static_cast<std::size_t>(bit)] = '1';
        }
    }
    return text;
}

std::uint64_t low_bits(std::uint64_t value, int width) {
    return value & bits::below(static_cast<unsigned>(width));
}

}  // namespace

void waveform::trace(const sc_core::sc_event& object, const std::string& name) {
    const sc_dt::uint64* stamp = &event_trigger_stamp(object);
    sample(name, kind::event, 1, [stamp, last = *stamp]() mutable -> std::uint64_t {
        const bool happened = *stamp != last;
        last = *stamp;
        return happened ? 1 : 0;
    });
}

void waveform::trace(const sc_core::sc_time& object, const std::string& name) {
    sample(name, kind::bits, 64, [&object]() -> std::uint64_t { return object.value(); });
}

void waveform::trace(const bool& object, const std::string& name) {
    sample(name, kind::bits, 1, [&object]() -> std::uint64_t { return object ? 1 : 0; });
}

void waveform::trace(const sc_dt::sc_bit& object, const std::string& name) {
    sample(name, kind::bits, 1, [&object]() -> std::uint64_t { return object.to_bool() ? 1 : 0; });
}

void waveform::trace(const sc_dt::sc_logic& object, const std::string& name) {
    sample(name, kind::logic, 1, [&object] {
        const char digit = object.to_char();
        return std::string(1, digit == 'X' ? 'x' : (digit == 'Z' ? 'z' : digit));
    });
}

#define HEDDLE_TRACE_WIDTH(type)                                                                  \
    void waveform::trace(const type& object, const std::string& name, int width) {                \
        sample(name, kind::bits, static_cast<unsigned>(width),                                    \
               [&object, width] { return low_bits(static_cast<std::uint64_t>(object), width); }); \
    }
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
#undef HEDDLE_TRACE_WIDTH

#define HEDDLE_TRACE_AS(type, what, width, expression)                                      \
    void waveform::trace(const type& object, const std::string& name) {                     \
        sample(name, what, static_cast<unsigned>(width), [&object] { return expression; }); \
    }
HEDDLE_TRACE_AS(float, kind::real, 64, static_cast<double>(object))
HEDDLE_TRACE_AS(double, kind::real, 64, object)
HEDDLE_TRACE_AS(sc_dt::sc_int_base, kind::bits, object.length(),
                low_bits(static_cast<std::uint64_t>(object.to_uint64()), object.length()))
HEDDLE_TRACE_AS(sc_dt::sc_uint_base, kind::bits, object.length(),
                static_cast<std::uint64_t>(object.to_uint64()))
HEDDLE_TRACE_AS(sc_dt::sc_signed, kind::logic, object.length(), number_string(object))
HEDDLE_TRACE_AS(sc_dt::sc_unsigned, kind::logic, object.length(), number_string(object))
HEDDLE_TRACE_AS(sc_dt::sc_fxval, kind::real, 64, object.to_double())
HEDDLE_TRACE_AS(sc_dt::sc_fxval_fast, kind::real, 64, object.to_double())
HEDDLE_TRACE_AS(sc_dt::sc_fxnum, kind::real, 64, object.to_double())
HEDDLE_TRACE_AS(sc_dt::sc_fxnum_fast, kind::real, 64, object.to_double())
HEDDLE_TRACE_AS(sc_dt::sc_bv_base, kind::logic, object.length(), bit_string(object))
HEDDLE_TRACE_AS(sc_dt::sc_lv_base, kind::logic, object.length(), bit_string(object))
#undef HEDDLE_TRACE_AS

void waveform::trace(const unsigned int& object, const std::string& name,
                     const char** enum_literals) {
    std::vector<std::string> states;
    for (const char** literal = enum_literals; *literal != nullptr; ++literal) {
        states.emplace_back(*literal);
    }
    sample(
        name, kind::state, 1, [&object]() -> std::uint64_t { return object; }, states);
}

}  // namespace heddle
