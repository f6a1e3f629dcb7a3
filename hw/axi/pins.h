// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <systemc>
#include <tuple>
#include <type_traits>

#include "hw/axi/channels.h"
#include "hw/cosim/pins/pin_channel.h"

/// The pins of an AXI4 bus: a signal for each, with the names and types of Verilator's ports.
namespace heddle::axi {

struct address_pins {
    explicit address_pins(const std::string& channel)
        : id(channel, "id"),
          addr(channel, "addr"),
          len(channel, "len"),
          size(channel, "size"),
          burst(channel, "burst") {}
    auto all() { return std::tie(id, addr, len, size, burst); }

    pins::pin<8> id;
    pins::pin<64> addr;
    pins::pin<8> len;
    pins::pin<3> size;
    pins::pin<2> burst;
};

template <unsigned Width>
struct write_pins {
    explicit write_pins(const std::string& channel)
        : data(channel, "data"), strb(channel, "strb"), last(channel, "last") {}
    auto all() { return std::tie(data, strb, last); }

    pins::pin<Width> data;
    pins::pin<Width / 8> strb;
    pins::pin<1> last;
};

struct response_pins {
    explicit response_pins(const std::string& channel) : id(channel, "id"), resp(channel, "resp") {}
    auto all() { return std::tie(id, resp); }

    pins::pin<8> id;
    pins::pin<2> resp;
};

template <unsigned Width>
struct read_pins {
    explicit read_pins(const std::string& channel)
        : id(channel, "id"), data(channel, "data"), resp(channel, "resp"), last(channel, "last") {}
    auto all() { return std::tie(id, data, resp, last); }

    pins::pin<8> id;
    pins::pin<Width> data;
    pins::pin<2> resp;
    pins::pin<1> last;
};

/// Bytes to the value of a pin, and back; byte 0 in the lowest bits.
template <class Value>
void put_lanes(Value& value, const lanes& data) {
    if constexpr (std::is_integral_v<Value>) {
        std::memcpy(&value, data.data(), sizeof value);
    } else {
        for (int i = 0; i < value.length() / 32; ++i) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, data.data() + std::ptrdiff_t{4} * i, sizeof bits);
            value.set_word(i, bits);
        }
    }
}
template <class Value>
void get_lanes(const Value& value, lanes& data) {
    if constexpr (std::is_integral_v<Value>) {
        std::memcpy(data.data(), &value, sizeof value);
    } else {
        for (int i = 0; i < value.length() / 32; ++i) {
            const auto bits = static_cast<std::uint32_t>(value.get_word(i));
            std::memcpy(data.data() + std::ptrdiff_t{4} * i, &bits, sizeof bits);
        }
    }
}

/// The pins of a bus of any width, for the bridges. Costs of a clock: only what changes is written,
/// and the payload of a channel is read while its VALID is high.
class bus_pins {
public:
    virtual ~bus_pins() = default;

    [[nodiscard]] virtual unsigned bus_bytes() const = 0;
    virtual void drive(const manager_side& values) = 0;
    virtual void drive(const subordinate_side& values) = 0;
    virtual void sample(manager_side& values) const = 0;
    virtual void sample(subordinate_side& values) const = 0;
};

/// The bundle that a manager, a subordinate and an observer share: `axi_pins<128> bus("bus")` has
/// the signals bus_aw_valid, bus_aw_ready, bus_aw_id, ... One side of them is driven by one
/// process.
template <unsigned Width>
class axi_pins final : public bus_pins {
public:
    static_assert(Width >= 32 && Width <= 512 && (Width & (Width - 1)) == 0,
                  "32, 64, 128, 256 or 512 bits");

    explicit axi_pins(const std::string& name)
        : aw(name + "_aw"), w(name + "_w"), b(name + "_b"), ar(name + "_ar"), r(name + "_r") {}

    pins::pin_channel<address_pins> aw;
    pins::pin_channel<write_pins<Width>> w;
    pins::pin_channel<response_pins> b;
    pins::pin_channel<address_pins> ar;
    pins::pin_channel<read_pins<Width>> r;

    /// Binds a module with ports of the names below. Ports of other names are bound channel by
    /// channel (pin_channel::bind()) or pin by pin.
    template <class Module>
    void bind(Module& m) {
        aw.bind(m.aw_valid, m.aw_ready, m.aw_id, m.aw_addr, m.aw_len, m.aw_size, m.aw_burst);
        w.bind(m.w_valid, m.w_ready, m.w_data, m.w_strb, m.w_last);
        b.bind(m.b_valid, m.b_ready, m.b_id, m.b_resp);
        ar.bind(m.ar_valid, m.ar_ready, m.ar_id, m.ar_addr, m.ar_len, m.ar_size, m.ar_burst);
        r.bind(m.r_valid, m.r_ready, m.r_id, m.r_data, m.r_resp, m.r_last);
    }

    [[nodiscard]] unsigned bus_bytes() const override { return Width / 8; }

    void drive(const manager_side& m) override {
        if (shown(manager_.aw_valid, manager_.aw, m.aw_valid, m.aw)) write(aw.payload, m.aw);
        if (shown(manager_.ar_valid, manager_.ar, m.ar_valid, m.ar)) write(ar.payload, m.ar);
        if (shown(manager_.w_valid, manager_.w, m.w_valid, m.w)) {
            put_lanes(scratch_, m.w.data);
            w.payload.data.write(scratch_);
            w.payload.strb.write(static_cast<strobe>(m.w.strobe));
            w.payload.last.write(m.w.last);
        }
        change(aw.valid, manager_.aw_valid, m.aw_valid);
        change(w.valid, manager_.w_valid, m.w_valid);
        change(b.ready, manager_.b_ready, m.b_ready);
        change(ar.valid, manager_.ar_valid, m.ar_valid);
        change(r.ready, manager_.r_ready, m.r_ready);
    }
    void drive(const subordinate_side& s) override {
        if (shown(subordinate_.b_valid, subordinate_.b, s.b_valid, s.b)) {
            b.payload.id.write(s.b.id);
            b.payload.resp.write(static_cast<std::uint32_t>(s.b.code));
        }
        if (shown(subordinate_.r_valid, subordinate_.r, s.r_valid, s.r)) {
            r.payload.id.write(s.r.id);
            r.payload.resp.write(static_cast<std::uint32_t>(s.r.code));
            r.payload.last.write(s.r.last);
            put_lanes(scratch_, s.r.data);
            r.payload.data.write(scratch_);
        }
        change(aw.ready, subordinate_.aw_ready, s.aw_ready);
        change(w.ready, subordinate_.w_ready, s.w_ready);
        change(b.valid, subordinate_.b_valid, s.b_valid);
        change(ar.ready, subordinate_.ar_ready, s.ar_ready);
        change(r.valid, subordinate_.r_valid, s.r_valid);
    }
    void sample(manager_side& m) const override {
        m.aw_valid = aw.valid.read();
        m.w_valid = w.valid.read();
        m.b_ready = b.ready.read();
        m.ar_valid = ar.valid.read();
        m.r_ready = r.ready.read();
        if (m.aw_valid) m.aw = read(aw.payload);
        if (m.ar_valid) m.ar = read(ar.payload);
        if (m.w_valid) {
            get_lanes(w.payload.data.read(), m.w.data);
            m.w.strobe = w.payload.strb.read();
            m.w.last = w.payload.last.read();
        }
    }
    void sample(subordinate_side& s) const override {
        s.aw_ready = aw.ready.read();
        s.w_ready = w.ready.read();
        s.b_valid = b.valid.read();
        s.ar_ready = ar.ready.read();
        s.r_valid = r.valid.read();
        if (s.b_valid) s.b = {b.payload.id.read(), static_cast<response>(b.payload.resp.read())};
        if (s.r_valid) {
            get_lanes(r.payload.data.read(), s.r.data);
            s.r.id = r.payload.id.read();
            s.r.code = static_cast<response>(r.payload.resp.read());
            s.r.last = r.payload.last.read();
        }
    }

private:
    using word = pins::pin_value<Width>;
    using strobe = pins::pin_value<Width / 8>;

    /// Whether a payload has to be written: it is valid, and not on the pins yet.
    template <class Payload>
    static bool shown(bool was_valid, Payload& kept, bool valid, const Payload& payload) {
        if (!valid || (was_valid && kept == payload)) return false;
        kept = payload;
        return true;
    }
    static void change(pins::pin<1>& pin, bool& kept, bool value) {
        if (value != kept) pin.write(value);
        kept = value;
    }
    static void write(address_pins& to, const address_beat& a) {
        to.id.write(a.id);
        to.addr.write(a.address);
        to.len.write(a.length);
        to.size.write(a.size);
        to.burst.write(static_cast<std::uint32_t>(a.burst));
    }
    static address_beat read(const address_pins& from) {
        address_beat a;
        a.id = from.id.read();
        a.address = from.addr.read();
        a.length = static_cast<std::uint8_t>(from.len.read());
        a.size = static_cast<std::uint8_t>(from.size.read());
        a.burst = static_cast<burst_type>(from.burst.read());
        return a;
    }
    manager_side manager_;  ///< what is on the pins
    subordinate_side subordinate_;
    word scratch_{};  ///< a vector of SystemC takes memory from the heap
};

/// Pins of `width` bits: 32, 64, 128, 256 or 512.
[[nodiscard]] std::unique_ptr<bus_pins> make_pins(const std::string& name, unsigned width);

}  // namespace heddle::axi
