// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "hw/axi/channels.h"
#include "hw/axi/known_bytes.h"
#include "hw/axi/rules.h"

namespace heddle::axi {

/// What a checker has to know of a bus.
struct bus_limits {
    unsigned bus_bytes = 16;
    unsigned ids = maximum_ids;
    std::uint64_t longest_wait = 0;  ///< clocks of VALID without READY; 0: any
};

/// Checks the rules of AXI4 (rules.h) on what it sees of the five channels, clock by clock. It
/// changes nothing. It also knows the bytes that have passed, and compares what is read: responses
/// carry no more than their ID, so that two reads of one ID in the wrong order can be told by their
/// data only. A read that a write to the same bytes overtakes is not compared.
/// After a violation it goes on as if the side that broke the rule had kept it. It allocates; there
/// is none where nothing is checked. No SystemC.
class rule_checker {
public:
    /// `text`: what was seen, and where.
    using listener = std::function<void(rule which, const std::string& text)>;

    rule_checker(const bus_limits& limits, listener report);

    /// What the pins have at a rising edge of the clock.
    void clock(const manager_side& manager, const subordinate_side& subordinate);
    /// At a rising edge in reset.
    void reset_clock(const manager_side& manager, const subordinate_side& subordinate);
    /// Bytes that somebody changes by another way.
    void forget(std::uint64_t address, std::uint64_t bytes);
    /// At the end of the run: nothing may be under way.
    void finish();
    [[nodiscard]] std::uint64_t clocks() const noexcept { return clocks_; }
    /// Transactions that have been answered.
    [[nodiscard]] std::uint64_t answered() const noexcept { return answered_; }
    /// Those of them whose order mattered. Reads are not compared with writes.
    struct order_counts {
        std::uint64_t before_younger = 0;  ///< a younger one of their ID was under way
        std::uint64_t before_older = 0;    ///< an older one of another ID was under way
    };
    [[nodiscard]] const order_counts& orders() const noexcept { return orders_; }

private:
    /// A channel's handshake.
    template <class Payload>
    struct stall {
        const char* name;
        bool waits = false;  ///< VALID without READY in the clock before
        std::uint64_t since = 0;
        Payload payload{};
    };
    struct open_write {
        address_beat burst;
        std::vector<write_beat> beats;
        bool complete = false;  ///< its last beat has passed
        bool certain = true;    ///< nobody else has written to its bytes since it began
    };
    struct open_read {
        address_beat burst;
        unsigned beat = 0;
        bool compared = true;  ///< no write has come to its bytes since it began
    };

    /// Whether the payload is shown for the first time; looks at the stability of the channel.
    template <class Payload>
    bool shown(stall<Payload>& channel, bool valid, bool ready, const Payload& payload);
    void report(rule which, const std::string& what) const;
    void check(const char* channel, const address_beat& burst) const;
    [[nodiscard]] address_beat mended(address_beat burst) const;
    void take_write(const address_beat& burst);
    void take_data(const write_beat& beat);
    void add_beat(open_write& to, const write_beat& beat);
    void take_read(const address_beat& burst);
    void show_b(const write_response& b, const manager_side& manager) const;
    void take_b(const write_response& b);
    void show_r(const read_beat& r);
    void take_r(const read_beat& r);
    void commit(const open_write& done);
    /// Whether the beat can be the present one of the read; true where no byte is known.
    [[nodiscard]] bool fits(const open_read& read, const read_beat& r) const;
    [[nodiscard]] std::string younger_like(const open_read& read, const read_beat& r) const;
    void compare(const open_read& read, const read_beat& r);
    template <class Transactions>
    void end(Transactions& open, typename Transactions::iterator answered);

    const bus_limits limits_;
    const listener report_;
    stall<address_beat> aw_{"AW"}, ar_{"AR"};
    stall<write_beat> w_{"W"};
    stall<write_response> b_{"B"};
    stall<read_beat> r_{"R"};
    std::deque<open_write> writes_;  ///< in the order of AW
    std::deque<open_read> reads_;    ///< in the order of AR
    std::deque<write_beat> early_;   ///< beats that came before their address
    known_bytes known_;
    std::uint64_t clocks_ = 0, answered_ = 0;
    order_counts orders_;
};

}  // namespace heddle::axi
