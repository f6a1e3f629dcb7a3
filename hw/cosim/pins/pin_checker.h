// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

#include "hw/cosim/pins/pin_channel.h"
#include "hw/cosim/pins/pin_clock.h"

/// Checkers of pins: they read them at each edge, and drive nothing. Every violation is one
/// SC_REPORT_ERROR whose message id is the rule; the text names the channel, the clock edge, what
/// happened and what is legal.
namespace heddle::pins {

/// Message ids: stable, for report handlers and tests.
namespace rule {
/// `valid` fell before the beat had moved
inline constexpr const char* valid_stable = "heddle/pins/valid_stable";
/// the payload changed before the beat had moved
inline constexpr const char* payload_stable = "heddle/pins/payload_stable";
/// a beat waits too long for `ready`, or a source without credits for the next one
inline constexpr const char* longest_wait = "heddle/pins/longest_wait";
/// a beat without a credit
inline constexpr const char* credit_underflow = "heddle/pins/credit_underflow";
/// more credits come back than were used
inline constexpr const char* credit_overflow = "heddle/pins/credit_overflow";
/// `valid` is high at the first edge behind the reset
inline constexpr const char* valid_in_reset = "heddle/pins/valid_in_reset";
}  // namespace rule

/// What all checkers have: who they are, and how they report.
class pin_checker : public pin_part {
public:
    /// `name`: the hierarchical name of the channel. `longest_wait` in clocks, 0: any number.
    pin_checker(std::string name, pin_clock& clock, std::uint64_t longest_wait);

    [[nodiscard]] std::uint64_t violations() const noexcept { return violations_; }

protected:
    void violation(const char* rule, const std::string& what);
    /// Of one wait: call at each edge of it. Reports it once, with what `waits` says of it.
    template <class Text>
    void wait(const Text& waits) {
        if (++waited_ != longest_wait_ + 1 || longest_wait_ == 0) return;
        violation(rule::longest_wait, waits() + " for " + std::to_string(waited_) +
                                          " clocks; legal: at most pins.longest_wait = " +
                                          std::to_string(longest_wait_));
    }
    void end_wait() noexcept { waited_ = 0; }

private:
    const std::string name_;
    const clock_domain& domain_;
    const std::uint64_t longest_wait_;
    std::uint64_t waited_ = 0;
    std::uint64_t violations_ = 0;
};

/// A copy of what the pins of a payload have, to see what changes.
template <class Payload>
class kept_payload {
public:
    explicit kept_payload(Payload& pins) : pins_(pins.all()) {}

    void keep() { keep(indices()); }
    /// "field was 1, is 2" for the first pin that has changed; else empty.
    [[nodiscard]] std::string change() const { return change(indices()); }

private:
    using pins = decltype(std::declval<Payload&>().all());
    template <class Tuple>
    struct values_of;
    template <class... Pin>
    struct values_of<std::tuple<Pin...>> {
        using type = std::tuple<pin_value<std::remove_reference_t<Pin>::width>...>;
    };
    using values = typename values_of<pins>::type;

    static constexpr auto indices() {
        return std::make_index_sequence<std::tuple_size_v<values>>();
    }
    template <std::size_t... I>
    void keep(std::index_sequence<I...>) {
        ((std::get<I>(values_) = std::get<I>(pins_).read()), ...);
    }
    template <std::size_t... I>
    std::string change(std::index_sequence<I...>) const {
        std::string text;
        const auto look = [&](const auto& pin, const auto& kept) {
            if (!text.empty() || pin.read() == kept) return;
            std::ostringstream out;
            out << std::hex << pin.field() << " was 0x" << hexadecimal(kept) << ", is 0x"
                << hexadecimal(pin.read());
            text = out.str();
        };
        (look(std::get<I>(pins_), std::get<I>(values_)), ...);
        return text;
    }
    template <class Value>
    static auto hexadecimal(const Value& value) {
        if constexpr (std::is_integral_v<Value>) {
            return std::uint64_t{value};
        } else {
            return value.to_string(sc_dt::SC_HEX_US, false);
        }
    }

    pins pins_;
    values values_;
};

/// The rules of a handshake: valid_stable, payload_stable, longest_wait, valid_in_reset.
template <class Payload>
class channel_checker final : public pin_checker {
public:
    channel_checker(const std::string& name, pin_clock& clock, pin_channel<Payload>& channel,
                    std::uint64_t longest_wait)
        : pin_checker(name, clock, longest_wait), channel_(channel), kept_(channel.payload) {}

    void clock_edge() override {
        const bool valid = channel_.valid.read();
        if (waits_) {
            if (!valid) {
                violation(rule::valid_stable,
                          "valid fell before ready was high; legal: valid stays until the edge at "
                          "which both are high");
            } else if (const std::string change = kept_.change(); !change.empty()) {
                violation(rule::payload_stable,
                          change +
                              " before ready was high; legal: the payload stays until the "
                              "edge at which valid and ready are high");
            }
        }
        if (first_ && valid) {
            violation(rule::valid_in_reset,
                      "valid is high; legal: low until rst_n has been high "
                      "at a rising edge");
        }
        first_ = false;
        waits_ = valid && !channel_.ready.read();
        if (waits_) {
            kept_.keep();
            wait([] { return std::string("waits"); });
        } else {
            end_wait();
        }
    }

private:
    pin_channel<Payload>& channel_;
    kept_payload<Payload> kept_;
    bool waits_ = false;
    bool first_ = true;
};

/// The rules of a channel with credits: credit_underflow, credit_overflow, longest_wait (of a
/// source without credits), valid_in_reset.
template <class Payload>
class credit_checker final : public pin_checker {
public:
    credit_checker(const std::string& name, pin_clock& clock,
                   const credit_channel<Payload>& channel, std::uint32_t credits,
                   std::uint64_t longest_wait)
        : pin_checker(name, clock, longest_wait),
          channel_(channel),
          most_(credits),
          credits_(credits) {}

    void clock_edge() override {
        const bool valid = channel_.valid.read();
        if (first_ && valid) {
            violation(rule::valid_in_reset,
                      "valid is high; legal: low until rst_n has been high "
                      "at a rising edge");
        }
        first_ = false;
        if (valid && credits_ == 0) {
            violation(rule::credit_underflow,
                      "a beat without a credit; legal: one beat for each "
                      "credit");
        } else if (valid) {
            --credits_;
            ++beats_;
        }
        if (channel_.credit.read() && credits_ == most_) {
            violation(rule::credit_overflow,
                      "a credit comes back that nobody has used; legal: at most " +
                          std::to_string(most_) + " credits");
        } else if (channel_.credit.read()) {
            ++credits_;
            ++returned_;
        }
        if (credits_ == 0) {
            wait([this] {
                return "a lost credit? All " + std::to_string(most_) + " credits are used after " +
                       std::to_string(beats_) + " beats and " + std::to_string(returned_) +
                       " credits that came back, and none has come back";
            });
        } else {
            end_wait();
        }
    }

private:
    const credit_channel<Payload>& channel_;
    const std::uint32_t most_;
    std::uint32_t credits_;
    std::uint64_t beats_ = 0;
    std::uint64_t returned_ = 0;
    bool first_ = true;
};

}  // namespace heddle::pins
