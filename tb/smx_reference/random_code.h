// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/random.h"
#include "models/isa/instruction_table.h"

namespace heddle::smx_reference {

/// A piece of memory that random code may use.
struct memory_piece {
    std::uint32_t base;
    unsigned bits;  ///< the first 2^bits bytes, and 1 KiB behind them
    bool writable;
    std::uint32_t pointer = 0;  ///< register with the address of `base`; 0: none
};

/// Encodings of a random kernel's body; see make_random_program().
class random_code {
public:
    /// `pieces`: what loads read; those that are writable also take stores and atomics.
    random_code(random_stream& random, std::vector<memory_piece> pieces)
        : random_(random), pieces_(std::move(pieces)) {}

    /// At most `most` instructions, the last of which jumps to `most`.
    std::vector<std::uint32_t> make(std::size_t most);

private:
    // Registers. Addresses and conditions: t0 to t6 and a7. What a0 to a6 hold does not matter.
    static constexpr std::uint32_t tid = 5, lane = 6, block = 7, condition = 17, address = 28,
                                   base = 29, outer = 30, inner = 31, first_data = 10,
                                   constants = 8;
    /// Where a statement stands.
    struct context {
        unsigned depth = 0;
        unsigned loops = 0;
        bool together = true;  ///< all threads of the block that have not ended come here
    };

    [[nodiscard]] std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>(random_.below(n));
    }
    [[nodiscard]] std::uint32_t data() { return first_data + below(7); }
    [[nodiscard]] std::uint32_t source() { return tid + below(3); }
    [[nodiscard]] std::size_t left() const { return most_ - code_.size(); }

    void put(isa::opcode op, std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2 = 0);
    void put_i(isa::opcode op, std::uint32_t rd, std::uint32_t rs1, std::int32_t immediate);
    void put_store(isa::opcode op, std::uint32_t rs1, std::uint32_t rs2, std::int32_t immediate);
    void set_branch(std::size_t at, isa::opcode op, std::uint32_t rs1, std::uint32_t rs2,
                    std::size_t to);
    void set_jump(std::size_t at, std::size_t to);

    void statements(const context& where, unsigned count);
    void statement(const context& where);
    void arithmetic();
    void accesses();
    void make_address(const memory_piece& in, unsigned size_log2);
    void access(const memory_piece& in, unsigned size_log2);
    void conditional(const context& where);
    void loop(const context& where);
    void early_exit();

    random_stream& random_;
    std::vector<memory_piece> pieces_;
    std::vector<std::uint32_t> code_;
    std::size_t most_ = 0;
};

}  // namespace heddle::smx_reference
