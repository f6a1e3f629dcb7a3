// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <systemc>
#include <tuple>
#include <type_traits>
#include <utility>

#include "models/base/random.h"

/// Pins, the channels that they make up, and the two ends of a channel.
///
/// A payload is a struct of pins with all(), which lists them in the order of the ports:
/// @code
/// struct response_pins {
///     explicit response_pins(const std::string& channel)
///         : id(channel, "id"), data(channel, "data") {}
///     auto all() { return std::tie(id, data); }
///     pin<6> id;
///     pin<1024> data;
/// };
/// pin_channel<response_pins> response{"response"};  // response_valid, _ready, _id, _data
/// @endcode
namespace heddle::pins {

/// The value of a pin of so many bits, as Verilator's ports have it with --sc.
template <unsigned Width>
using pin_value = std::conditional_t<
    Width == 1, bool,
    std::conditional_t<
        Width <= 32, std::uint32_t,
        std::conditional_t<Width <= 64, std::uint64_t, sc_dt::sc_bv<static_cast<int>(Width)>>>>;

/// The signal CHANNEL_FIELD, or FIELD if it is part of no channel.
template <unsigned Width>
class pin final : public sc_core::sc_signal<pin_value<Width>> {
public:
    static constexpr unsigned width = Width;

    /// `field` lives as long as the pin.
    pin(const std::string& channel, const char* field)
        : sc_core::sc_signal<pin_value<Width>>((channel + "_" + field).c_str()), field_(field) {}
    explicit pin(const char* field) : sc_core::sc_signal<pin_value<Width>>(field), field_(field) {}

    [[nodiscard]] const char* field() const noexcept { return field_; }

private:
    const char* field_;
};

/// Random clocks in which an end of a channel holds back. Ask once a clock. Without probability it
/// draws nothing.
class pin_stalls {
public:
    pin_stalls() : pin_stalls(0, "", 0) {}
    /// `percent` of the clocks, by the seed of the run and the hierarchical name of the end.
    pin_stalls(std::uint64_t run_seed, std::string_view path, std::uint32_t percent)
        : random_(run_seed, path), percent_(percent) {}

    [[nodiscard]] bool stalled() { return percent_ != 0 && random_.below(100) < percent_; }

private:
    random_stream random_;
    std::uint32_t percent_;
};

/// A handshake: a beat moves at each rising edge with `valid` and `ready` high. `valid` does not
/// wait for `ready`, and neither it nor the payload changes until the beat has moved. `ready` may
/// change at any time.
template <class Payload>
struct pin_channel {
    explicit pin_channel(const std::string& name)
        : valid(name, "valid"), ready(name, "ready"), payload(name) {}

    /// Binds the ports of a module: those of the payload in the order of all().
    template <class Valid, class Ready, class... Ports>
    void bind(Valid& valid_port, Ready& ready_port, Ports&... ports) {
        valid_port(valid);
        ready_port(ready);
        std::apply([&](auto&... pins) { (ports(pins), ...); }, payload.all());
    }

    pin<1> valid;
    pin<1> ready;
    Payload payload;
};

/// The end that drives `valid` and the payload.
template <class Payload>
class pin_source {
public:
    explicit pin_source(pin_channel<Payload>& channel, const pin_stalls& stalls = {})
        : channel_(channel), stalls_(stalls) {}

    /// Call at each edge. If the pins are free, `next(Payload&)` may write the next beat to them;
    /// it answers whether it has.
    template <class Next>
    void clock_edge(const Next& next) {
        if (valid_ && !channel_.ready.read()) return;
        const bool sends = !stalls_.stalled() && next(channel_.payload);
        if (sends != valid_) channel_.valid.write(sends);
        valid_ = sends;
    }
    /// A beat moves at this edge. Ask before clock_edge().
    [[nodiscard]] bool moves() const { return valid_ && channel_.ready.read(); }

private:
    pin_channel<Payload>& channel_;
    pin_stalls stalls_;
    bool valid_ = false;
};

/// The end that drives `ready`.
template <class Payload>
class pin_sink {
public:
    explicit pin_sink(pin_channel<Payload>& channel, const pin_stalls& stalls = {})
        : channel_(channel), stalls_(stalls) {}

    /// The beat that moves at this edge, or null.
    [[nodiscard]] const Payload* taken() const {
        return ready_ && channel_.valid.read() ? &channel_.payload : nullptr;
    }
    /// Call at each edge, last: whether a beat may move at the next one.
    void offer(bool room) {
        const bool ready = room && !stalls_.stalled();
        if (ready != ready_) channel_.ready.write(ready);
        ready_ = ready;
    }

private:
    pin_channel<Payload>& channel_;
    pin_stalls stalls_;
    bool ready_ = false;
};

/// A channel without `ready`: a beat moves at each rising edge with `valid` high. The source has a
/// number of credits after reset, uses one for each beat, and gets one back at each rising edge
/// with `credit` high.
template <class Payload>
struct credit_channel {
    explicit credit_channel(const std::string& name)
        : valid(name, "valid"), credit(name, "credit"), payload(name) {}

    /// As pin_channel::bind().
    template <class Valid, class Credit, class... Ports>
    void bind(Valid& valid_port, Credit& credit_port, Ports&... ports) {
        valid_port(valid);
        credit_port(credit);
        std::apply([&](auto&... pins) { (ports(pins), ...); }, payload.all());
    }

    pin<1> valid;
    pin<1> credit;
    Payload payload;
};

/// The end that drives `valid` and the payload, as pin_source.
template <class Payload>
class credit_source {
public:
    credit_source(credit_channel<Payload>& channel, std::uint32_t credits,
                  const pin_stalls& stalls = {})
        : channel_(channel), stalls_(stalls), credits_(credits) {}

    template <class Next>
    void clock_edge(const Next& next) {
        if (channel_.credit.read()) ++credits_;
        const bool sends = credits_ != 0 && !stalls_.stalled() && next(channel_.payload);
        if (sends) --credits_;
        if (sends != valid_) channel_.valid.write(sends);
        valid_ = sends;
    }
    [[nodiscard]] std::uint32_t credits() const noexcept { return credits_; }

private:
    credit_channel<Payload>& channel_;
    pin_stalls stalls_;
    std::uint32_t credits_;
    bool valid_ = false;
};

/// The end that drives `credit`.
template <class Payload>
class credit_sink {
public:
    explicit credit_sink(credit_channel<Payload>& channel, const pin_stalls& stalls = {})
        : channel_(channel), stalls_(stalls) {}

    /// The beat that moves at this edge, or null.
    [[nodiscard]] const Payload* taken() const {
        return channel_.valid.read() ? &channel_.payload : nullptr;
    }
    /// Call at each edge, last: with `more` credits to give back from now on, one an edge.
    void give_back(std::uint32_t more) {
        owed_ += more;
        const bool gives = owed_ != 0 && !stalls_.stalled();
        if (gives) --owed_;
        if (gives != credit_) channel_.credit.write(gives);
        credit_ = gives;
    }

private:
    credit_channel<Payload>& channel_;
    pin_stalls stalls_;
    std::uint32_t owed_ = 0;
    bool credit_ = false;
};

}  // namespace heddle::pins
