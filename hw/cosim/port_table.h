// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Ports of an RTL block in a slot (hw/base/slot.h): a table of fields turns a call of the part's
/// C++ interface into bits and back.
///
/// Beside the ports of its table a block has `clk`, `rst_n` (synchronous, active low) and `enable`:
/// registers load only where it is high. Inputs and outputs lie in one flat vector each, the first
/// port in the lowest bits; a shell, which is generated from the table, spreads them over the ports
/// of the block's module.
namespace heddle::cosim {

enum class port_direction : std::uint8_t { input, output };

/// A port without what it means.
struct port_shape {
    port_direction way = port_direction::input;
    std::string name;
    unsigned width = 1;     ///< bits of an element; in a port table up to 64
    unsigned elements = 1;  ///< element 0 in the lowest bits

    [[nodiscard]] unsigned bits() const noexcept { return width * elements; }
};

/// Bits in words of 32.
using bit_words = std::vector<std::uint32_t>;
[[nodiscard]] constexpr std::size_t words_for(std::size_t bits) noexcept {
    return (bits + 31) / 32;
}
/// Puts the lowest `width` bits of `value` at bit `at`.
void put_bits(std::uint32_t* words, std::size_t at, unsigned width, std::uint64_t value) noexcept;
[[nodiscard]] std::uint64_t get_bits(const std::uint32_t* words, std::size_t at,
                                     unsigned width) noexcept;

/// Bits of all ports of one direction.
[[nodiscard]] std::size_t bits_of(const std::vector<port_shape>& ports, port_direction way);

/// A port of a block whose calls are `Call`s: plain values, one member for each port.
template <class Call>
struct port_field {
    port_direction way;
    const char* name;
    unsigned width;
    std::uint64_t (*get)(const Call& call, unsigned element);
    void (*set)(Call& call, unsigned element, std::uint64_t value);
    unsigned elements = 1;
};

namespace detail {

template <class Member>
struct port_member;
template <class Call, class Value>
struct port_member<Value Call::*> {
    using call = Call;
    using value = Value;
    static constexpr unsigned elements = 1;
    static Value& at(Value& member, unsigned) noexcept { return member; }
    static Value at(const Value& member, unsigned) noexcept { return member; }
};
template <class Call, class Value, std::size_t Count>
struct port_member<std::array<Value, Count> Call::*> {
    using call = Call;
    using value = Value;
    static constexpr unsigned elements = Count;
    static Value& at(std::array<Value, Count>& member, unsigned element) noexcept {
        return member[element];
    }
    static Value at(const std::array<Value, Count>& member, unsigned element) noexcept {
        return member[element];
    }
};

}  // namespace detail

/// The port of a member of a call: a number, an enumeration, a bool, or an array of them.
template <auto Member>
[[nodiscard]] constexpr auto port_of(port_direction way, const char* name, unsigned width) {
    using member = detail::port_member<decltype(Member)>;
    using call = typename member::call;
    return port_field<call>{way,
                            name,
                            width,
                            [](const call& c, unsigned element) {
                                return static_cast<std::uint64_t>(member::at(c.*Member, element));
                            },
                            [](call& c, unsigned element, std::uint64_t value) {
                                member::at(c.*Member, element) =
                                    static_cast<typename member::value>(value);
                            },
                            member::elements};
}

/// The ports of a block, in the order of its table.
template <class Call>
class port_table {
public:
    template <std::size_t Count>
    explicit port_table(const port_field<Call> (&fields)[Count]) {
        std::size_t next[2] = {};
        for (const port_field<Call>& f : fields) {
            std::size_t& at = next[static_cast<std::size_t>(f.way)];
            ports_.push_back({f, at});
            at += std::size_t{f.width} * f.elements;
        }
    }

    [[nodiscard]] std::vector<port_shape> shapes() const {
        std::vector<port_shape> all;
        for (const auto& [f, at] : ports_) all.push_back({f.way, f.name, f.width, f.elements});
        return all;
    }
    /// Puts the call's inputs into `words`, which are as many as their bits need.
    void pack(const Call& call, std::uint32_t* words) const { pack_from(0, call, words); }
    /// The same, for the ports from number `first` of the table on.
    void pack_from(std::size_t first, const Call& call, std::uint32_t* words) const {
        for (std::size_t n = first; n < ports_.size(); ++n) {
            const auto& [f, at] = ports_[n];
            if (f.way != port_direction::input) continue;
            for (unsigned e = 0; e < f.elements; ++e) {
                put_bits(words, at + e * f.width, f.width, f.get(call, e));
            }
        }
    }
    /// Takes the call's outputs out of `words`.
    void unpack(const std::uint32_t* words, Call& call) const {
        unpack(port_direction::output, words, call);
    }
    /// The other way round: for a part that stands behind the ports.
    void pack_outputs(const Call& call, std::uint32_t* words) const {
        for (const auto& [f, at] : ports_) {
            if (f.way != port_direction::output) continue;
            for (unsigned e = 0; e < f.elements; ++e) {
                put_bits(words, at + e * f.width, f.width, f.get(call, e));
            }
        }
    }
    void unpack_inputs(const std::uint32_t* words, Call& call) const {
        unpack(port_direction::input, words, call);
    }

private:
    void unpack(port_direction way, const std::uint32_t* words, Call& call) const {
        for (const auto& [f, at] : ports_) {
            if (f.way != way) continue;
            for (unsigned e = 0; e < f.elements; ++e) {
                f.set(call, e, get_bits(words, at + e * f.width, f.width));
            }
        }
    }

    struct placed_port {
        port_field<Call> field;
        std::size_t at;  ///< its lowest bit, among the ports of its direction
    };
    std::vector<placed_port> ports_;
};

}  // namespace heddle::cosim
