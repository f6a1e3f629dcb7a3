// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hw/base/ring.h"
#include "hw/crossbar/allocator.h"
#include "hw/crossbar/crossbar_configuration.h"
#include "hw/crossbar/port_bits.h"
#include "hw/crossbar/switch_part.h"
#include "models/base/histogram.h"

namespace heddle {

/// A one-way crossbar: input buffers, allocators, output buffers. No SystemC.
///
/// Model: Fung, "Dynamic Warp Formation", 2008, section 5.1.2. An input has `input_speedup`
/// buffers; buffer k holds the messages to the outputs k, k + speedup, ..., in a queue for each of
/// them. Since the buffers k of all inputs meet only these outputs, each k has an allocator of its
/// own: rows are inputs, columns the outputs of k in ascending order. In a cycle each buffer sends
/// at most one flit and each output takes at most one.
///
/// Credits are flits. A message that enters takes as many as it is long from its input buffer and
/// gives one back with each flit that leaves. The first flit of a message takes the credits of all
/// of it from the output buffer, which gets them back when the message leaves; were they taken flit
/// by flit, buffers full of incomplete messages would wait for each other for ever. An output is
/// full while it has no room for the longest message, so that short ones can't starve long ones.
///
/// Times: a message of c flits that is pushed before arbitrate(e) may leave with deliver(e +
/// latency + c - 1) at the earliest.
template <class T>
class flit_switch {
public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    /// A flit that moved.
    struct transfer {
        std::uint32_t buffer, output;
    };
    struct counters {
        std::uint64_t messages = 0;      ///< that have left
        std::uint64_t flits = 0;         ///< that have moved
        std::uint64_t lost_grants = 0;   ///< output_check::after_allocation
        std::uint64_t not_granted = 0;   ///< buffers x cycles: a flit could have moved
        std::uint64_t outputs_full = 0;  ///< buffers x cycles: requests to full outputs only
        /// Cycles of a message from its push() until it leaves.
        histogram latency = histogram::powers_of_two();
    };

    /// The allocators are the slots "PATH.allocator_K".
    flit_switch(const switch_shape& shape, const crossbar_configuration& configuration,
                const slot_maker<allocator_traits>& allocators, const std::string& path)
        : shape_(shape),
          configuration_(configuration),
          parts_count_(std::min(configuration.input_speedup, shape.outputs)),
          input_credits_(std::size_t{shape.inputs} * parts_count_, configuration.input_buffer),
          places_(shape.outputs),
          outputs_(shape.outputs, output_port(configuration.output_buffer)),
          ready_(port_bits::words_for(shape.outputs)),
          arriving_(ready_.size()),
          arrivals_(std::size_t{shape.outputs} * configuration.output_buffer),
          entries_(input_credits_.size() * configuration.input_buffer +
                   std::size_t{shape.outputs} * configuration.output_buffer) {
        for (std::uint32_t k = 0; k < parts_count_; ++k) {
            const std::uint32_t columns = (shape.outputs - k + parts_count_ - 1) / parts_count_;
            parts_.emplace_back(shape.inputs, columns);
            parts_.back().chooser = allocators.make(
                {configuration.allocator, {shape.inputs, columns, configuration.iterations}},
                path + ".allocator_" + std::to_string(k));
        }
        for (std::uint32_t output = 0; output < shape.outputs; ++output) {
            places_[output] = {output % parts_count_, output / parts_count_};
        }
        for (std::uint32_t i = 0; i < entries_.size(); ++i) {
            entries_[i].next = i + 1;
        }
        moved_.reserve(shape.outputs);
    }

    // ---- input side ----------------------------------------------------------------------------

    /// Credits of an empty input buffer, and of an empty output buffer.
    [[nodiscard]] std::uint32_t buffer_capacity() const noexcept {
        return configuration_.input_buffer;
    }
    [[nodiscard]] std::uint32_t output_capacity() const noexcept {
        return configuration_.output_buffer;
    }
    /// Buffers of one input.
    [[nodiscard]] std::uint32_t speedup() const noexcept { return parts_count_; }
    /// Buffers of all inputs, numbered input * speedup + k.
    [[nodiscard]] std::uint32_t buffers() const noexcept { return shape_.inputs * parts_count_; }
    [[nodiscard]] std::uint32_t buffer_of(std::uint32_t input,
                                          std::uint32_t output) const noexcept {
        return input * parts_count_ + places_[output].part;
    }
    [[nodiscard]] std::uint32_t input_of(std::uint32_t buffer) const noexcept {
        return buffer / parts_count_;
    }
    /// Free flits of a buffer.
    [[nodiscard]] std::uint32_t room(std::uint32_t buffer) const noexcept {
        return input_credits_[buffer];
    }
    /// Call only while room(buffer_of(input, output)), the buffer that it returns, is at least
    /// `flits`, which is at least 1.
    std::uint32_t push(std::uint32_t input, std::uint32_t output, T item, std::uint32_t flits,
                       std::uint64_t edge) {
        const place at = places_[output];
        const std::uint32_t buffer = input * parts_count_ + at.part;
        input_credits_[buffer] -= flits;
        const std::uint32_t taken = free_;
        free_ = entries_[taken].next;
        const auto length = static_cast<std::uint16_t>(flits);
        entries_[taken] = {item, edge, 0, none, length, length};
        part& p = parts_[at.part];
        if (append(p.queues[input * p.columns + at.column], taken)) {
            p.with_words([&](auto row_words, auto column_words) {
                p.wanted.insert(input, at.column, row_words, column_words);
            });
        }
        ++size_;
        return buffer;
    }

    // ---- a cycle -------------------------------------------------------------------------------

    /// Accounts for cycles without arbitrate(), in which nothing could move.
    void skip(std::uint64_t cycles) noexcept {
        if (cycles != 0) {
            counters_.outputs_full += cycles * waiting_buffers();
        }
    }
    /// Each allocator matches its buffers with outputs; the flits move. Afterwards moved() has
    /// them.
    void arbitrate(std::uint64_t edge) {
        moved_.clear();
        for (std::uint32_t k = 0; k < parts_count_; ++k) {
            if (parts_[k].wanted.requests() != 0) {
                arbitrate(parts_[k], k, edge);
            }
        }
        for (std::uint32_t word = 0; word < arriving_.size(); ++word) {
            if (arriving_[word] == 0) continue;
            arrivals_.push(
                {edge + configuration_.latency, std::exchange(arriving_[word], 0), word});
        }
    }
    [[nodiscard]] const std::vector<transfer>& moved() const noexcept { return moved_; }

    /// Calls f(item) for each message that may leave with deliver(edge).
    template <class F>
    void each_ready(std::uint64_t edge, const F& f) {
        take_arrivals(edge);
        port_bits::for_each(ready_.data(), ready_.size(), [&](std::uint32_t output) {
            f(entries_[outputs_[output].complete.first].item);
        });
    }
    /// Calls f(output, item) for each output whose oldest message may leave at `edge`; the message
    /// leaves if f says true. One message an output. Edges don't go back.
    template <class F>
    void deliver(std::uint64_t edge, const F& f) {
        take_arrivals(edge);
        port_bits::for_each(ready_.data(), ready_.size(), [&](std::uint32_t output) {
            if (f(output, entries_[outputs_[output].complete.first].item)) leave(output, edge);
        });
    }

    // ---- what is going on ----------------------------------------------------------------------

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    /// Messages inside.
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint32_t output_room(std::uint32_t output) const noexcept {
        return outputs_[output].credits;
    }
    /// Whether a flit could move at the next arbitrate() as things are: that of a message which has
    /// begun to move, or one to an output with room.
    [[nodiscard]] bool can_move() const noexcept {
        for (const part& p : parts_) {
            const bool moves = p.with_words([&](auto, auto words) {
                return port_bits::together(words, [&](std::size_t word) {
                           return p.begun.active_columns()[word] |
                                  (p.wanted.active_columns()[word] & p.open[word]);
                       }) != 0;
            });
            if (moves) return true;
        }
        return false;
    }
    /// Whether an output has a message that may leave.
    [[nodiscard]] bool can_leave() const noexcept {
        return port_bits::any(ready_.data(), ready_.size());
    }
    /// Whether the buffer has a message, and whether a flit of it could move.
    [[nodiscard]] bool waits(std::uint32_t buffer) const {
        return port_bits::test(parts_[buffer % parts_count_].wanted.active_rows(),
                               buffer / parts_count_);
    }
    [[nodiscard]] bool could_move(std::uint32_t buffer) const {
        return waits(buffer) && eligible(parts_[buffer % parts_count_], buffer / parts_count_);
    }
    /// Buffers that hold messages.
    [[nodiscard]] std::uint32_t waiting_buffers() const noexcept {
        std::uint32_t sum = 0;
        for (const part& p : parts_) {
            sum += port_bits::count(p.wanted.active_rows(), p.wanted.row_words());
        }
        return sum;
    }
    /// The first edge after that of the last deliver() at which a message reaches its output; never
    /// if none.
    [[nodiscard]] std::uint64_t next_due() const noexcept {
        return arrivals_.empty() ? never : arrivals_.front().due;
    }
    [[nodiscard]] const counters& counts() const noexcept { return counters_; }

private:
    using part = switch_part;
    using queue = switch_part::queue;
    static constexpr std::uint32_t none = switch_part::none;

    /// A message.
    struct entry {
        T item{};
        std::uint64_t since = 0;  ///< edge of its push()
        std::uint64_t due = 0;    ///< edge at which its last flit is in the output buffer
        std::uint32_t next = none;
        std::uint16_t flits = 0;
        std::uint16_t left = 0;  ///< flits that have not moved
    };
    /// An output: the column of a part.
    struct place {
        std::uint32_t part, column;
    };
    /// Messages that reach their outputs. Aligned, so that the host finds one by a shift.
    struct alignas(32) arrival {
        std::uint64_t due = 0;
        std::uint64_t outputs = 0;  ///< a word of the set of outputs
        std::uint32_t word = 0;     ///< which one
    };
    struct output_port {
        explicit output_port(std::uint32_t flits) : credits(flits) {}
        queue complete;
        std::uint32_t credits;  ///< flits that no message holds or has reserved
    };
    /// Puts an entry at the end; whether the queue was empty.
    bool append(queue& to, std::uint32_t number) {
        entries_[number].next = none;
        const bool first = to.first == none;
        (first ? to.first : entries_[to.last].next) = number;
        to.last = number;
        return first;
    }

    [[nodiscard]] static std::uint64_t eligible_word(const part& p, std::uint32_t row,
                                                     std::size_t word) noexcept {
        return p.wanted.row(row)[word] & (p.open[word] | p.begun.row(row)[word]);
    }
    [[nodiscard]] static bool eligible(const part& p, std::uint32_t row) noexcept {
        return port_bits::together(p.open.size(), [&](std::size_t word) {
                   return eligible_word(p, row, word);
               }) != 0;
    }
    /// Whether all that is requested has room.
    template <class Words>
    [[nodiscard]] static bool all_open(const part& p, Words words) noexcept {
        return port_bits::together(words, [&](std::size_t word) {
                   return p.wanted.active_columns()[word] & ~p.open[word];
               }) == 0;
    }

    void arbitrate(part& p, std::uint32_t k, std::uint64_t edge) {
        p.with_words([&](auto row_words, auto column_words) {
            arbitrate(p, k, edge, row_words, column_words);
        });
    }

    template <class RowWords, class ColumnWords>
    void arbitrate(part& p, std::uint32_t k, std::uint64_t edge, RowWords words,
                   ColumnWords column_words) {
        // (1) the requests that find room
        const request_matrix* movable = &p.wanted;
        if (!all_open(p, column_words)) {
            p.eligible.select(p.wanted, p.open.data(), p.begun);
            movable = &p.eligible;
        }
        const std::uint32_t rows = port_bits::count(p.wanted.active_rows(), words);
        const std::uint32_t able = port_bits::count(movable->active_rows(), words);
        counters_.outputs_full += rows - able;
        if (able == 0) return;
        // (2) the allocator decides, (3) flits move
        const bool checked = configuration_.check == output_check::before_allocation;
        const matching grants = p.chooser->decide(checked ? *movable : p.wanted);
        p.chooser->clock_edge();
        const std::size_t before = moved_.size();
        port_bits::for_each(grants.rows(), words, [&](std::uint32_t row) {
            const std::uint32_t column = grants.column(row);
            if (checked || ((eligible_word(p, row, column / 64) >> (column % 64)) & 1U) != 0) {
                move(p, k, row, column, edge, words, column_words);
            } else {
                ++counters_.lost_grants;
            }
        });
        counters_.flits += moved_.size() - before;
        counters_.not_granted += able - (moved_.size() - before);
    }

    template <class RowWords, class ColumnWords>
    void move(part& p, std::uint32_t k, std::uint32_t row, std::uint32_t column, std::uint64_t edge,
              RowWords row_words, ColumnWords column_words) {
        const std::uint32_t output = column * parts_count_ + k;
        const std::uint32_t buffer = row * parts_count_ + k;
        output_port& port = outputs_[output];
        queue& waiting = p.queues[row * p.columns + column];
        const std::uint32_t number = waiting.first;
        entry& message = entries_[number];
        moved_.push_back({buffer, output});
        ++input_credits_[buffer];
        if (message.left == message.flits) {
            port.credits -= message.flits;
            if (port.credits < shape_.longest) {
                port_bits::erase(p.open.data(), column, column_words);
            }
        }
        if (message.flits != 1 && !ends(p, message, row, column, row_words, column_words)) {
            return;
        }
        waiting.first = message.next;
        if (waiting.first == none) {
            p.wanted.erase(row, column, row_words, column_words);
        }
        message.due = edge + configuration_.latency;
        append(port.complete, number);
        port_bits::insert(arriving_.data(), output);
    }

    /// A flit of a message of several moves: whether it is the last one.
    template <class RowWords, class ColumnWords>
    static bool ends(part& p, entry& message, std::uint32_t row, std::uint32_t column,
                     RowWords row_words, ColumnWords column_words) {
        if (message.left == message.flits) p.begun.insert(row, column, row_words, column_words);
        if (--message.left != 0) return false;
        p.begun.erase(row, column, row_words, column_words);
        return true;
    }

    void take_arrivals(std::uint64_t edge) {
        for (; !arrivals_.empty() && arrivals_.front().due <= edge; arrivals_.pop()) {
            ready_[arrivals_.front().word] |= arrivals_.front().outputs;
        }
    }

    /// The oldest message of an output leaves.
    void leave(std::uint32_t output, std::uint64_t edge) {
        output_port& port = outputs_[output];
        const std::uint32_t number = port.complete.first;
        entry& message = entries_[number];
        counters_.latency.add(edge - message.since);
        ++counters_.messages;
        port.credits += message.flits;
        if (port.credits >= shape_.longest) {
            const place at = places_[output];
            port_bits::insert(parts_[at.part].open.data(), at.column);
        }
        port.complete.first = message.next;
        message.next = free_;
        free_ = number;
        --size_;
        const std::uint32_t following = port.complete.first;
        if (following == none || entries_[following].due > edge) {
            port_bits::erase(ready_.data(), output);
        }
    }

    const switch_shape shape_;
    const crossbar_configuration configuration_;
    const std::uint32_t parts_count_;
    std::vector<part> parts_;
    std::vector<std::uint32_t> input_credits_;  ///< of each buffer
    std::vector<place> places_;                 ///< of each output
    std::vector<output_port> outputs_;
    std::vector<std::uint64_t> ready_;     ///< outputs with a message that may leave
    std::vector<std::uint64_t> arriving_;  ///< outputs of what this arbitrate() completes
    ring<arrival> arrivals_;               ///< of complete messages; all take equally long
    std::vector<entry> entries_;
    std::uint32_t free_ = 0;  ///< first free entry
    std::vector<transfer> moved_;
    std::uint32_t size_ = 0;
    counters counters_;
};

}  // namespace heddle
