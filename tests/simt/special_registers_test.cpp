// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/special_registers.h"

#include <gtest/gtest.h>

#include <array>

#include "models/base/random.h"

namespace heddle::simt {
namespace {

using isa::csr;

constexpr unsigned widest = 64;

/// One thread of a block, as a loop over the block meets it.
struct thread_place {
    unsigned x, y, z, lane, warp;
};

/// The threads of warp `index`, found by walking through the whole block, x fastest.
std::vector<thread_place> walk(const dim3& block, unsigned lanes, unsigned index) {
    std::vector<thread_place> found;
    unsigned lane = 0;
    unsigned warp = 0;
    for (unsigned z = 0; z < block.z; ++z) {
        for (unsigned y = 0; y < block.y; ++y) {
            for (unsigned x = 0; x < block.x; ++x) {
                if (warp == index) found.push_back({x, y, z, lane, warp});
                if (++lane == lanes) {
                    lane = 0;
                    ++warp;
                }
            }
        }
    }
    return found;
}

struct sample {
    block_identity id;
    std::uint64_t clock, instructions;
    std::array<std::uint8_t, widest> frm;
    unsigned lanes;
};

/// What the manual says, thread by thread and number by number (docs/isa.md).
std::uint32_t expected(std::uint32_t number, const sample& s, const thread_place& t) {
    const unsigned threads = s.id.block.x * s.id.block.y * s.id.block.z;
    unsigned warps = 0;
    while (warps * s.lanes < threads) ++warps;
    switch (number) {
        case 0x001:
            return 0;
        case 0x002:
            return s.frm[t.lane];
        case 0x003:
            return s.frm[t.lane] * 32u;
        case 0xc00:
        case 0xc01:
        case 0xcd8:
            return static_cast<std::uint32_t>(s.clock % 0x1'0000'0000);
        case 0xc80:
        case 0xc81:
        case 0xcd9:
            return static_cast<std::uint32_t>(s.clock / 0x1'0000'0000);
        case 0xc02:
            return static_cast<std::uint32_t>(s.instructions % 0x1'0000'0000);
        case 0xc82:
            return static_cast<std::uint32_t>(s.instructions / 0x1'0000'0000);
        case 0xcc0:
            return t.x;
        case 0xcc1:
            return t.y;
        case 0xcc2:
            return t.z;
        case 0xcc4:
            return s.id.index.x;
        case 0xcc5:
            return s.id.index.y;
        case 0xcc6:
            return s.id.index.z;
        case 0xcc8:
            return s.id.block.x;
        case 0xcc9:
            return s.id.block.y;
        case 0xcca:
            return s.id.block.z;
        case 0xccc:
            return s.id.grid.x;
        case 0xccd:
            return s.id.grid.y;
        case 0xcce:
            return s.id.grid.z;
        case 0xcd0:
            return t.lane;
        case 0xcd1:
            return t.warp;
        case 0xcd2:
            return warps;
        case 0xcd3:
            return s.id.sm;
        case 0xcd4:
            return s.lanes;
        case 0xcd5:
            return s.id.gridid;
        case 0xcd6:
            return s.id.dynamic_shared_base;
        case 0xcd7:
            return s.id.dynamic_shared_bytes;
        case 0xcdc:
            return s.id.offset.x;
        case 0xcdd:
            return s.id.offset.y;
        case 0xcde:
            return s.id.offset.z;
        case 0xcdf:
            return s.id.dimensions;
        default:
            ADD_FAILURE() << "no such CSR: " << number;
            return 0;
    }
}

sample random_sample(random_stream& random) {
    const auto word = [&] { return static_cast<std::uint32_t>(random.next()); };
    const auto extent = [&](unsigned limit) {
        return static_cast<std::uint32_t>(1 + random.below(limit));
    };
    sample s{};
    s.id = {{word(), word(), word()},
            {word(), word(), word()},
            {extent(40), extent(6), extent(4)},
            word(),
            word(),
            word(),
            word(),
            {word(), word(), word()},
            extent(3)};
    s.clock = random.next();
    s.instructions = random.next();
    s.lanes = 8u << random.below(4);
    for (std::uint8_t& mode : s.frm) mode = static_cast<std::uint8_t>(random.below(8));
    return s;
}

TEST(special_registers, every_csr_of_random_warps_thread_by_thread) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        random_stream random(seed, "special_registers_test");
        const sample s = random_sample(random);
        const unsigned warps = (s.id.threads() + s.lanes - 1) / s.lanes;
        const auto warp = static_cast<unsigned>(random.below(warps));
        const csr_context context{s.id, warp, s.clock, s.instructions};
        for (const isa::csr_description& row : isa::csr_table) {
            std::array<std::uint32_t, widest> values{};
            read_csr(row.number, context, s.lanes, s.frm.data(), values.data());
            for (const thread_place& t : walk(s.id.block, s.lanes, warp)) {
                ASSERT_EQ(values[t.lane], expected(static_cast<std::uint32_t>(row.number), s, t))
                    << row.name << " of lane " << t.lane << " in warp " << warp;
            }
        }
    }
}

}  // namespace
}  // namespace heddle::simt
