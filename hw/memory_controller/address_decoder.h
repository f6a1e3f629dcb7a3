// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace heddle {

/// Which address bits make up which part of a DRAM address (Fung 2008, section 5.1.3): a mask for
/// each part, whose bits need not be neighbours. The lowest bit of a mask is bit 0 of its part.
struct address_masks {
    std::uint64_t chip = 0;  ///< channel
    std::uint64_t row = 0;   ///< the only mask that must not be empty beside `column`
    std::uint64_t bank = 0;
    std::uint64_t column = 0;  ///< byte in its row
};

struct dram_address {
    std::uint32_t chip = 0;
    std::uint32_t bank = 0;
    std::uint32_t column = 0;
    std::uint64_t row = 0;
};
[[nodiscard]] constexpr bool operator==(const dram_address& a, const dram_address& b) noexcept {
    return a.chip == b.chip && a.bank == b.bank && a.column == b.column && a.row == b.row;
}

/// The bits of `value` under `mask`, moved together at the lower end.
[[nodiscard]] constexpr std::uint64_t gather_bits(std::uint64_t value,
                                                  std::uint64_t mask) noexcept {
    std::uint64_t gathered = 0;
    for (unsigned to = 0; mask != 0; ++to, mask &= mask - 1) {
        gathered |= ((value & mask & (~mask + 1)) != 0 ? std::uint64_t{1} : 0) << to;
    }
    return gathered;
}
/// The inverse: the lower bits of `value`, spread over the bits of `mask`.
[[nodiscard]] constexpr std::uint64_t scatter_bits(std::uint64_t value,
                                                   std::uint64_t mask) noexcept {
    std::uint64_t scattered = 0;
    for (unsigned from = 0; mask != 0; ++from, mask &= mask - 1) {
        scattered |= ((value >> from) & 1) != 0 ? mask & (~mask + 1) : 0;
    }
    return scattered;
}

/// What is wrong with masks, bits and masks named; empty if nothing is. Each bit from 0 to the
/// highest one that is used belongs to exactly one mask; those above it are beyond the memory.
/// `atom`: bytes of one column access, a power of two, whose bits are the lowest of the column.
[[nodiscard]] std::string mask_problem(const address_masks& masks, std::uint32_t atom);

/// Takes addresses apart. A mask costs one shift per run of neighbouring bits.
class address_decoder {
public:
    /// Throws configuration_error with mask_problem(), if there is one.
    address_decoder(const address_masks& masks, std::uint32_t atom);

    [[nodiscard]] dram_address decode(std::uint64_t address) const noexcept {
        return {static_cast<std::uint32_t>(chip_.gather(address)),
                static_cast<std::uint32_t>(bank_.gather(address)),
                static_cast<std::uint32_t>(column_.gather(address)), row_.gather(address)};
    }
    [[nodiscard]] std::uint64_t encode(const dram_address& parts) const noexcept;

    /// Addresses 0 ... bytes() - 1 are those of the memory, all chips together.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::uint32_t chips() const noexcept { return size_of(masks_.chip); }
    [[nodiscard]] std::uint32_t banks() const noexcept { return size_of(masks_.bank); }
    [[nodiscard]] std::uint32_t row_bytes() const noexcept { return size_of(masks_.column); }

private:
    class part {
    public:
        explicit part(std::uint64_t mask);
        [[nodiscard]] std::uint64_t gather(std::uint64_t address) const noexcept {
            std::uint64_t value = 0;
            for (unsigned i = 0; i < count_; ++i) {
                value |= (address & runs_[i].mask) >> runs_[i].down;
            }
            return value;
        }

    private:
        struct run {
            std::uint64_t mask = 0;
            unsigned down = 0;
        };
        unsigned count_ = 0;
        std::array<run, 32> runs_{};
    };

    [[nodiscard]] static std::uint32_t size_of(std::uint64_t mask) noexcept {
        return std::uint32_t{1} << __builtin_popcountll(mask);
    }

    address_masks masks_;
    part chip_, row_, bank_, column_;
    std::uint64_t bytes_;
};

}  // namespace heddle
