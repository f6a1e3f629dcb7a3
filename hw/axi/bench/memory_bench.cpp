// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/bench/memory_bench.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "hw/axi/bench/random_manager.h"
#include "hw/axi/rule_checker.h"
#include "hw/cosim/port_table.h"

namespace heddle::axi {

namespace {

using cosim::port_direction;
using cosim::port_field;
using cosim::port_of;

constexpr unsigned words = maximum_bus_bytes / 8;

/// The pins as the memory sees them.
struct pin_call {
    bool aw_valid = false, w_valid = false, w_last = false, b_ready = false, ar_valid = false,
         r_ready = false;
    std::uint8_t aw_id = 0, aw_len = 0, aw_size = 0, aw_burst = 0;
    std::uint8_t ar_id = 0, ar_len = 0, ar_size = 0, ar_burst = 0;
    std::uint64_t aw_addr = 0, ar_addr = 0, w_strb = 0;
    std::array<std::uint64_t, words> w_data{};

    bool aw_ready = false, w_ready = false, b_valid = false, ar_ready = false, r_valid = false,
         r_last = false;
    std::uint8_t b_id = 0, b_resp = 0, r_id = 0, r_resp = 0;
    std::array<std::uint64_t, words> r_data{};
};

constexpr auto in = port_direction::input, out = port_direction::output;
constexpr port_field<pin_call> pins[] = {
    port_of<&pin_call::aw_valid>(in, "aw_valid", 1),
    port_of<&pin_call::aw_id>(in, "aw_id", 8),
    port_of<&pin_call::aw_addr>(in, "aw_addr", 64),
    port_of<&pin_call::aw_len>(in, "aw_len", 8),
    port_of<&pin_call::aw_size>(in, "aw_size", 3),
    port_of<&pin_call::aw_burst>(in, "aw_burst", 2),
    port_of<&pin_call::w_valid>(in, "w_valid", 1),
    port_of<&pin_call::w_data>(in, "w_data", 64),
    port_of<&pin_call::w_strb>(in, "w_strb", 64),
    port_of<&pin_call::w_last>(in, "w_last", 1),
    port_of<&pin_call::b_ready>(in, "b_ready", 1),
    port_of<&pin_call::ar_valid>(in, "ar_valid", 1),
    port_of<&pin_call::ar_id>(in, "ar_id", 8),
    port_of<&pin_call::ar_addr>(in, "ar_addr", 64),
    port_of<&pin_call::ar_len>(in, "ar_len", 8),
    port_of<&pin_call::ar_size>(in, "ar_size", 3),
    port_of<&pin_call::ar_burst>(in, "ar_burst", 2),
    port_of<&pin_call::r_ready>(in, "r_ready", 1),
    port_of<&pin_call::aw_ready>(out, "aw_ready", 1),
    port_of<&pin_call::w_ready>(out, "w_ready", 1),
    port_of<&pin_call::b_valid>(out, "b_valid", 1),
    port_of<&pin_call::b_id>(out, "b_id", 8),
    port_of<&pin_call::b_resp>(out, "b_resp", 2),
    port_of<&pin_call::ar_ready>(out, "ar_ready", 1),
    port_of<&pin_call::r_valid>(out, "r_valid", 1),
    port_of<&pin_call::r_id>(out, "r_id", 8),
    port_of<&pin_call::r_data>(out, "r_data", 64),
    port_of<&pin_call::r_resp>(out, "r_resp", 2),
    port_of<&pin_call::r_last>(out, "r_last", 1),
};

pin_call call_of(const manager_side& side) {
    pin_call c;
    c.aw_valid = side.aw_valid;
    c.w_valid = side.w_valid;
    c.b_ready = side.b_ready;
    c.ar_valid = side.ar_valid;
    c.r_ready = side.r_ready;
    c.aw_id = static_cast<std::uint8_t>(side.aw.id);
    c.aw_addr = side.aw.address;
    c.aw_len = side.aw.length;
    c.aw_size = side.aw.size;
    c.aw_burst = static_cast<std::uint8_t>(side.aw.burst);
    c.ar_id = static_cast<std::uint8_t>(side.ar.id);
    c.ar_addr = side.ar.address;
    c.ar_len = side.ar.length;
    c.ar_size = side.ar.size;
    c.ar_burst = static_cast<std::uint8_t>(side.ar.burst);
    std::memcpy(c.w_data.data(), side.w.data.data(), maximum_bus_bytes);
    c.w_strb = side.w.strobe;
    c.w_last = side.w.last;
    return c;
}

subordinate_side side_of(const pin_call& c, unsigned bus_bytes) {
    subordinate_side side;
    side.aw_ready = c.aw_ready;
    side.w_ready = c.w_ready;
    side.b_valid = c.b_valid;
    side.ar_ready = c.ar_ready;
    side.r_valid = c.r_valid;
    side.b = {c.b_id, static_cast<response>(c.b_resp)};
    side.r.id = c.r_id;
    side.r.code = static_cast<response>(c.r_resp);
    side.r.last = c.r_last;
    std::memcpy(side.r.data.data(), c.r_data.data(), bus_bytes);
    return side;
}

class memory_bench {
public:
    memory_bench(const random_manager_options& options, std::uint64_t seed)
        : bus_bytes_(options.bus_bytes),
          random_(seed, "axi_memory_bench"),
          manager_(options, random_),
          checker_({options.bus_bytes, options.ids, longest_wait},
                   [this](rule, const std::string& text) { report(text); }) {}

    void inputs(std::uint32_t* to) const { table_.pack(call_of(manager_.pins()), to); }

    int clock(const std::uint32_t* outputs, bool reset) {
        pin_call call;
        table_.unpack(outputs, call);
        const subordinate_side seen = side_of(call, bus_bytes_);
        if (reset) {
            checker_.reset_clock(manager_.pins(), seen);
        } else {
            checker_.clock(manager_.pins(), seen);
            if (seen.b_valid && manager_.pins().b_ready) expect_okay("B", seen.b.code);
            if (seen.r_valid && manager_.pins().r_ready) expect_okay("R", seen.r.code);
            manager_.clock(seen);
        }
        if (!failed_ && manager_.done()) {
            checker_.finish();
            if (!failed_) {
                std::printf(
                    "%llu bursts answered in %llu clocks, %llu of them before an older one "
                    "of another ID; no rule is broken, no difference\n",
                    static_cast<unsigned long long>(checker_.answered()),
                    static_cast<unsigned long long>(checker_.clocks()),
                    static_cast<unsigned long long>(checker_.orders().before_older));
                return 1;
            }
        }
        if (!failed_ && checker_.clocks() > most_clocks) {
            std::printf("%llu bursts are answered after %llu clocks: the memory has stopped\n",
                        static_cast<unsigned long long>(checker_.answered()),
                        static_cast<unsigned long long>(checker_.clocks()));
            failed_ = true;
        }
        std::fflush(stdout);
        return failed_ ? 2 : 0;
    }

private:
    static constexpr std::uint64_t longest_wait = 5000, most_clocks = 5'000'000;

    void report(const std::string& text) {
        if (!failed_) std::printf("%s\n", text.c_str());
        failed_ = true;
    }
    /// All bursts are legal, and below the region's end.
    void expect_okay(const char* channel, response code) {
        if (failed_ || code == response::okay) return;
        std::printf(
            "clock %llu: %sRESP is %u; legal: OKAY, for an INCR burst below the region's "
            "end\n",
            static_cast<unsigned long long>(checker_.clocks()), channel,
            static_cast<unsigned>(code));
        failed_ = true;
    }

    const unsigned bus_bytes_;
    const cosim::port_table<pin_call> table_{pins};
    random_stream random_;
    random_manager manager_;
    rule_checker checker_;
    bool failed_ = false;
};

}  // namespace

}  // namespace heddle::axi

using heddle::axi::memory_bench;

const char* heddle_axi_pins() {
    static const std::string all = [] {
        std::string text;
        for (const auto& pin : heddle::axi::pins) {
            text += pin.way == heddle::axi::in ? "input " : "output ";
            text += pin.name + (" " + std::to_string(pin.width * pin.elements)) + "\n";
        }
        return text;
    }();
    return all.c_str();
}

void* heddle_axi_bench_create(unsigned bus_bytes, unsigned ids, std::uint64_t region,
                              unsigned bursts, std::uint64_t seed) {
    heddle::axi::random_manager_options options;
    options.bus_bytes = bus_bytes;
    options.ids = ids;
    options.region = region;
    options.bursts = bursts;
    return new memory_bench(options, seed);
}

void heddle_axi_bench_destroy(void* bench) {
    delete static_cast<memory_bench*>(bench);
}

void heddle_axi_bench_inputs(const void* bench, std::uint32_t* inputs) {
    static_cast<const memory_bench*>(bench)->inputs(inputs);
}

int heddle_axi_bench_clock(void* bench, const std::uint32_t* outputs, int reset) {
    return static_cast<memory_bench*>(bench)->clock(outputs, reset != 0);
}
