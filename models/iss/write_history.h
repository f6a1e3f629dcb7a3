// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/base/free_list.h"

namespace heddle::iss {

/// Which values a load of global memory may see on a machine whose accesses take time.
///
/// A write takes effect at some moment between its begin and its end (memory has acknowledged it).
/// A write comes *before* another one, and is *seen* by a read, if it has ended when that begins,
/// or if both belong to one SMX, whose accesses to one place keep the order of issue. Instructions
/// that issue in one turn (mimd) have no order. Otherwise the order is the machine's own affair. So
/// a read may give the value of a write unless another write to the byte, which the read sees,
/// comes after it; and it may not give any other value. Where threads don't race exactly one value
/// is left. Times are in cycles of whatever clock.
///
/// Naturally aligned accesses of up to a word lie in one word and take effect as one.
class write_history {
public:
    using write_id = std::uint32_t;
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// Place in the order of issue of an SMX: turn by turn, and within an instruction lane by lane.
    struct place {
        constexpr place() = default;
        constexpr place(std::uint32_t of_sm, std::uint64_t of_turn,
                        std::uint16_t of_instruction = 0, std::uint16_t of_lane = 0)
            : sm(of_sm), instruction(of_instruction), lane(of_lane), turn(of_turn) {}

        std::uint32_t sm = 0;
        std::uint16_t instruction = 0;  ///< of those that issue in the turn
        std::uint16_t lane = 0;
        std::uint64_t turn = 0;
    };
    struct read {
        place at;
        std::uint64_t from = 0;  ///< sees all writes that have ended by then
        /// It is an atomic: whether other values were possible is of no interest.
        bool takes_part = false;
    };
    /// Bytes of a word: `bytes` has a bit each, `value` holds them at their places.
    struct word_part {
        std::uint32_t address = 0;  ///< of the word
        std::uint8_t bytes = 0;
        std::uint32_t value = 0;
    };
    enum class verdict {
        exact,  ///< the only value that may be seen
        one_of_several,
        open,  ///< only a write whose value is not known yet could explain it
        impossible,
    };
    /// Who wrote, in the caller's terms.
    struct origin {
        std::uint32_t source = 0;
        std::uint8_t lane = 0;
    };

    write_history();

    /// The host writes; no access is under way.
    void set(std::uint32_t address, const void* from, std::size_t bytes);

    /// Whole words begin anew, with zeros: nobody reads what was written there, or still writes it.
    void restart(std::uint32_t address, std::size_t bytes);

    /// A write begins. Those of one SMX are told in ascending order, but for those of one
    /// instruction.
    write_id begin(const word_part& what, const place& at, std::uint64_t time, origin by);
    /// One whose value, a whole word, is known only when it has taken effect.
    write_id begin_unknown(std::uint32_t address, const place& at, std::uint64_t time, origin by,
                           bool atomic);
    void know(write_id write, std::uint32_t value) noexcept;
    /// It turns out to write nothing.
    void cancel(write_id write) noexcept;
    void end(write_id write, std::uint64_t time) noexcept { writes_[write].end = time; }
    /// Whether a write other than an atomic may be under way at the word.
    [[nodiscard]] bool store_under_way(std::uint32_t address) const noexcept;

    /// May the read have given this value?
    [[nodiscard]] verdict judge(const word_part& found, const read& by) const;
    /// What a read may give, for messages.
    struct possible_values {
        /// Of the word, those of the newest writes first. Of several bytes that are written apart,
        /// one that can't have the value which was found varies.
        std::vector<std::uint32_t> values;
        std::size_t others = 0;  ///< how many more there are
        bool open = false;       ///< and what a write leaves whose value is not known yet
    };
    [[nodiscard]] possible_values possible(const word_part& found, const read& by) const;

    /// No read with an earlier `from` will be judged: lets old writes go.
    void set_horizon(std::uint64_t time) noexcept { horizon_ = time; }

    /// All writes have ended.
    struct lost_write {
        word_part expected;
        std::uint32_t found = 0;
        origin by;
    };
    /// Compares every word that was written with `memory` (which reads words at ascending
    /// addresses, and may answer with what is expected); from now on memory's values hold. The
    /// first word that differs.
    using expected_word = std::function<std::uint32_t()>;
    std::optional<lost_write> settle(
        const std::function<std::uint32_t(std::uint32_t, const expected_word&)>& memory);

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t page_words = 4096;
    /// Writes to one word beyond which old ones are looked for, and beyond which all are believed.
    static constexpr std::uint32_t least_pruned = 32;
    static constexpr std::uint32_t believe_above = 4096;
    static constexpr std::size_t most_shown = 4;  ///< possible values

    struct write {
        place at;
        std::uint64_t begin = 0;
        std::uint64_t end = never;
        std::uint32_t value = 0;
        std::uint32_t next = none;  ///< an older one
        origin by;
        std::uint8_t bytes = 0;
        bool known = true;
        bool atomic = false;
        bool cancelled = false;
    };
    struct word {
        std::uint32_t address;
        std::uint32_t first = none;  ///< the newest write
        std::uint32_t count = 0;
        std::uint32_t prune_above = least_pruned;
        bool whole = true;       ///< no write to a part of it
        bool one_writer = true;  ///< these, and all of one SMX, told in ascending order
    };
    using page = std::array<std::uint32_t, page_words>;

    [[nodiscard]] const word* find(std::uint32_t address) const noexcept;
    word& find_or_make(std::uint32_t address);
    write_id add(const write& added, std::uint32_t address);
    void prune(word& of);
    [[nodiscard]] std::uint32_t settled_value(std::uint32_t address) const noexcept;
    [[nodiscard]] static bool before(const write& a, const write& b) noexcept;
    [[nodiscard]] static bool sees(const read& by, const write& w) noexcept;
    /// The write comes behind the read in the order of issue of one SMX, or it is the read's own.
    [[nodiscard]] static bool issued_later(const read& by, const write& w) noexcept;
    /// Whether a write that the read sees has replaced what `older` (null: what there was at the
    /// start) left in one of the bytes.
    [[nodiscard]] bool replaced(const word& of, const write* older, std::uint8_t bytes,
                                const read& by) const noexcept;
    /// Whether the read may give what the write has left in some of these bytes.
    [[nodiscard]] bool may_see(const word& of, const write& w, std::uint8_t bytes,
                               const read& by) const noexcept;
    /// Bytes that each write to the word writes either all or not at all.
    [[nodiscard]] verdict judge_bytes(const word& of, std::uint8_t bytes, std::uint32_t value,
                                      const read& by) const;
    [[nodiscard]] verdict judge_word(const word& of, std::uint8_t bytes, std::uint32_t value,
                                     const read& by) const;
    [[nodiscard]] possible_values possible_in(const word& of, const word_part& found,
                                              const read& by) const;
    /// Of bytes that each write writes either all or not at all.
    [[nodiscard]] possible_values possible_of_bytes(const word& of, std::uint8_t bytes,
                                                    const read& by) const;

    flat_memory settled_;
    std::vector<std::unique_ptr<page>> pages_;
    std::vector<word> words_;  ///< that were written since the last settle()
    std::vector<write> writes_;
    free_list<write_id> free_;
    std::uint64_t horizon_ = 0;
};

}  // namespace heddle::iss
