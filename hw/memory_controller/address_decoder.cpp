// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/address_decoder.h"

#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "models/base/error.h"

namespace heddle {
namespace {

constexpr unsigned address_bits = 48;  ///< so that sizes fit anywhere

struct named_mask {
    const char* name;
    std::uint64_t mask;
};

std::vector<named_mask> named(const address_masks& masks) {
    return {
        {"chip", masks.chip}, {"row", masks.row}, {"bank", masks.bank}, {"column", masks.column}};
}

/// "bit 5", "bits 5, 6 and 9".
std::string bits_text(std::uint64_t mask) {
    std::string text = (mask & (mask - 1)) != 0 ? "bits " : "bit ";
    for (bool first = true; mask != 0; mask &= mask - 1) {
        const bool last = (mask & (mask - 1)) == 0;
        text += (first ? "" : last ? " and " : ", ") + std::to_string(__builtin_ctzll(mask));
        first = false;
    }
    return text;
}

std::uint64_t below(unsigned bits) {
    return (std::uint64_t{1} << bits) - 1;
}

}  // namespace

std::string mask_problem(const address_masks& masks, std::uint32_t atom) {
    const std::vector<named_mask> all = named(masks);
    std::string text;
    const auto add = [&](const std::string& problem) {
        text += (text.empty() ? "" : "; ") + problem;
    };
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        used |= all[i].mask;
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            if (const std::uint64_t both = all[i].mask & all[j].mask; both != 0) {
                add(bits_text(both) + " in both the " + all[i].name + " and the " + all[j].name +
                    " mask");
            }
        }
    }
    if ((used >> address_bits) != 0) {
        add(bits_text(used >> address_bits << address_bits) + " beyond the " +
            std::to_string(address_bits) + " address bits");
        return text;
    }
    const unsigned top = used == 0 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(used));
    if (const std::uint64_t missing = ~used & below(top); missing != 0) {
        add(bits_text(missing) + " in no mask, below the highest bit, " + std::to_string(top - 1));
    }
    if (atom == 0 || (atom & (atom - 1)) != 0) {
        add("a column access of " + std::to_string(atom) + " bytes, which is no power of two");
    } else if (const std::uint64_t inside = (atom - 1) & ~masks.column; inside != 0) {
        add(bits_text(inside) + ", inside a column access of " + std::to_string(atom) +
            " bytes, not in the column mask");
    }
    for (const named_mask& each : {all[1], all[3]}) {
        if (each.mask == 0) add(std::string("the ") + each.name + " mask is empty");
    }
    if (__builtin_popcountll(masks.column) > 24 || __builtin_popcountll(masks.bank) > 6 ||
        __builtin_popcountll(masks.chip) > 16) {
        add("more than 24 column, 6 bank or 16 chip bits");
    }
    return text;
}

address_decoder::part::part(std::uint64_t mask) {
    unsigned used = 0;
    while (mask != 0) {
        const auto first = static_cast<unsigned>(__builtin_ctzll(mask));
        const auto length = static_cast<unsigned>(__builtin_ctzll(~(mask >> first)));
        const std::uint64_t run_mask = below(length) << first;
        runs_[count_++] = {run_mask, first - used};
        used += length;
        mask &= ~run_mask;
    }
}

address_decoder::address_decoder(const address_masks& masks, std::uint32_t atom)
    : masks_(masks),
      chip_(masks.chip & below(address_bits)),
      row_(masks.row & below(address_bits)),
      bank_(masks.bank & below(address_bits)),
      column_(masks.column & below(address_bits)),
      bytes_(0) {
    if (const std::string problem = mask_problem(masks, atom); !problem.empty()) {
        std::ostringstream text;
        text << "DRAM address masks" << std::hex;
        for (const named_mask& each : named(masks)) text << ", " << each.name << " 0x" << each.mask;
        text << ": " << problem
             << "; legal: every address bit from 0 to the highest one in exactly one mask, those "
                "of a column access in the column mask";
        throw configuration_error(text.str());
    }
    bytes_ = (masks.chip | masks.row | masks.bank | masks.column) + 1;
}

std::uint64_t address_decoder::encode(const dram_address& parts) const noexcept {
    return scatter_bits(parts.chip, masks_.chip) | scatter_bits(parts.row, masks_.row) |
           scatter_bits(parts.bank, masks_.bank) | scatter_bits(parts.column, masks_.column);
}

}  // namespace heddle
