// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "hw/base/ring.h"

namespace heddle {

/// Switch with input queues, round-robin outputs and a pipeline of fixed latency before each output
/// queue. The state of one direction of fixed_latency_network; no SystemC.
///
/// A packet of c cycles that is granted at edge g keeps its input and its output until g + c and
/// may leave from edge g + latency + c - 1 on. An output grants while fewer than queue + latency
/// packets are in its pipeline and output queue. Cost per cycle is proportional to the outputs that
/// packets want, and to those that hold some.
template <class T>
class fixed_latency_switch {
public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    fixed_latency_switch(std::uint32_t inputs, std::uint32_t outputs, std::uint32_t queue,
                         std::uint32_t latency)
        : latency_(latency),
          words_((inputs + 63) / 64),
          inputs_(inputs, input_port(queue)),
          outputs_(outputs, output_port(queue + latency, words_)),
          wanted_((outputs + 63) / 64),
          filled_((outputs + 63) / 64) {
        granted_.reserve(inputs);
    }

    [[nodiscard]] std::uint32_t room(std::uint32_t input) const {
        const ring<packet>& queue = inputs_[input].queue;
        return static_cast<std::uint32_t>(queue.capacity() - queue.size());
    }
    /// Call only while room(input) is not 0. `cycles` is at least 1.
    void push(std::uint32_t input, std::uint32_t output, T item, std::uint32_t cycles,
              std::uint64_t edge) {
        ring<packet>& queue = inputs_[input].queue;
        queue.push({item, output, cycles, edge});
        if (queue.size() == 1) {
            want(input, output);
        }
        ++size_;
    }

    /// Each output picks among the inputs that want it. The inputs that lost a packet are in
    /// granted() afterwards.
    void arbitrate(std::uint64_t edge) {
        granted_.clear();
        for (std::size_t word = 0; word < wanted_.size(); ++word) {
            for (std::uint64_t left = wanted_[word]; left != 0; left &= left - 1) {
                grant(static_cast<std::uint32_t>(64 * word) + lowest(left), edge);
            }
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& granted() const noexcept { return granted_; }

    /// Calls f(output, item) for each output whose oldest packet may leave at `edge`; the packet
    /// leaves if f says true. One packet an output.
    template <class F>
    void deliver(std::uint64_t edge, const F& f) {
        for (std::size_t word = 0; word < filled_.size(); ++word) {
            for (std::uint64_t left = filled_[word]; left != 0; left &= left - 1) {
                const std::uint32_t output = static_cast<std::uint32_t>(64 * word) + lowest(left);
                ring<leaving>& queue = outputs_[output].queue;
                if (queue.front().due > edge || !f(output, queue.front().item)) {
                    continue;
                }
                queue.pop();
                --size_;
                if (queue.empty()) {
                    filled_[word] &= ~(std::uint64_t{1} << (output % 64));
                }
            }
        }
    }

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    /// Packets inside.
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    /// The first edge after `edge` at which something may happen by itself; never if all packets
    /// wait for others.
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const {
        std::uint64_t due = never;
        for (std::size_t word = 0; word < filled_.size(); ++word) {
            for (std::uint64_t left = filled_[word]; left != 0; left &= left - 1) {
                const std::uint64_t at = outputs_[64 * word + lowest(left)].queue.front().due;
                due = at > edge ? std::min(due, at) : due;
            }
            for (std::uint64_t left = wanted_[word]; left != 0; left &= left - 1) {
                due = std::min(due, next_grant(outputs_[64 * word + lowest(left)], edge));
            }
        }
        return due;
    }
    /// Cycles that packets have spent in input queues beyond the first.
    [[nodiscard]] std::uint64_t wait_cycles() const noexcept { return wait_cycles_; }

private:
    struct packet {
        T item{};
        std::uint32_t output = 0;
        std::uint32_t cycles = 1;
        std::uint64_t since = 0;
    };
    struct leaving {
        T item{};
        std::uint64_t due = 0;
    };
    struct input_port {
        explicit input_port(std::uint32_t queue) : queue(queue) {}
        ring<packet> queue;
        std::uint64_t busy_until = 0;
    };
    struct output_port {
        output_port(std::uint32_t capacity, std::size_t words) : queue(capacity), requests(words) {}
        ring<leaving> queue;
        std::vector<std::uint64_t> requests;  ///< one bit per input whose first packet wants it
        std::uint32_t waiting = 0;            ///< bits set in requests
        std::uint32_t next = 0;               ///< input with the highest priority
        std::uint64_t busy_until = 0;
    };

    static std::uint32_t lowest(std::uint64_t bits) noexcept {
        return static_cast<std::uint32_t>(__builtin_ctzll(bits));
    }
    void want(std::uint32_t input, std::uint32_t output) {
        output_port& port = outputs_[output];
        port.requests[input / 64] |= std::uint64_t{1} << (input % 64);
        ++port.waiting;
        wanted_[output / 64] |= std::uint64_t{1} << (output % 64);
    }

    /// Calls f(input) for the inputs that want `port`, by falling priority, until f says true.
    template <class F>
    void by_priority(const output_port& port, const F& f) const {
        const std::uint32_t first = port.next / 64;
        const std::uint64_t low = (std::uint64_t{1} << (port.next % 64)) - 1;
        for (std::size_t step = 0; step <= words_; ++step) {
            const std::size_t word = (first + step) % words_;
            std::uint64_t left = port.requests[word];
            left &= step == 0 ? ~low : step == words_ ? low : ~std::uint64_t{0};
            for (; left != 0; left &= left - 1) {
                if (f(static_cast<std::uint32_t>(64 * word) + lowest(left))) {
                    return;
                }
            }
        }
    }

    void grant(std::uint32_t output, std::uint64_t edge) {
        output_port& port = outputs_[output];
        if (port.busy_until > edge || port.queue.full()) {
            return;
        }
        by_priority(port, [&](std::uint32_t input) {
            if (inputs_[input].busy_until > edge) {
                return false;
            }
            transfer(input, output, edge);
            return true;
        });
    }

    void transfer(std::uint32_t number, std::uint32_t output, std::uint64_t edge) {
        input_port& input = inputs_[number];
        output_port& port = outputs_[output];
        const packet moved = input.queue.pop();
        wait_cycles_ += edge - moved.since;
        input.busy_until = port.busy_until = edge + moved.cycles;
        port.queue.push({moved.item, edge + latency_ + moved.cycles - 1});
        filled_[output / 64] |= std::uint64_t{1} << (output % 64);
        port.next = number + 1 == inputs_.size() ? 0 : number + 1;
        port.requests[number / 64] &= ~(std::uint64_t{1} << (number % 64));
        if (--port.waiting == 0) {
            wanted_[output / 64] &= ~(std::uint64_t{1} << (output % 64));
        }
        if (!input.queue.empty()) {
            want(number, input.queue.front().output);
        }
        granted_.push_back(number);
    }

    /// First edge after `edge` at which the output could grant; never while its queue is full.
    [[nodiscard]] std::uint64_t next_grant(const output_port& port, std::uint64_t edge) const {
        if (port.queue.full()) {
            return never;
        }
        std::uint64_t input_free = never;
        by_priority(port, [&](std::uint32_t input) {
            input_free = std::min(input_free, inputs_[input].busy_until);
            return input_free <= edge;
        });
        return std::max({input_free, port.busy_until, edge + 1});
    }

    std::uint32_t latency_;
    std::size_t words_;
    std::vector<input_port> inputs_;
    std::vector<output_port> outputs_;
    std::vector<std::uint64_t> wanted_;  ///< one bit per output that packets want
    std::vector<std::uint64_t> filled_;  ///< one bit per output that holds packets
    std::vector<std::uint32_t> granted_;
    std::uint32_t size_ = 0;
    std::uint64_t wait_cycles_ = 0;
};

}  // namespace heddle
