// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <cmath>

#include "hw/smx/tm/signature.h"
#include "models/base/random.h"

namespace heddle {
namespace {

/// With k hashes of 8 bits a word that is not among n others hits with (1 - (7/8)^(kn))^k.
TEST(signature, false_positives_follow_the_closed_form) {
    for (const unsigned hashes : {1U, 2U}) {
        for (const unsigned n : {1U, 2U, 4U, 8U}) {
            random_stream random(7 * n + hashes, "signature");
            unsigned hits = 0;
            constexpr unsigned tries = 40'000;
            for (unsigned t = 0; t < tries; ++t) {
                signature_slices signatures(hashes);
                for (unsigned i = 0; i < n; ++i)
                    signatures.insert(3, static_cast<std::uint32_t>(random.below(512)));
                hits +=
                    signatures.hits(static_cast<std::uint32_t>(random.below(512))).test(3) ? 1 : 0;
            }
            const double bits = 1 - std::pow(7.0 / 8, hashes * n);
            // One in 512 of the words is among the n.
            EXPECT_NEAR(hits / double{tries}, std::pow(bits, hashes), 0.012 + n / 512.0)
                << hashes << " hashes, " << n << " words";
        }
    }
}

TEST(signature, hashes_fold_rows_and_words) {
    EXPECT_EQ(row_hashes(0b101'100'110).first, 0b101 ^ 0b100 ^ 0b110);
    EXPECT_EQ(row_hashes(0b101'100'110).second, 0b011 ^ 0b011 ^ 0b10);
    EXPECT_EQ(row_hashes(1).second, 0);
    EXPECT_EQ(row_hashes(256).second, 0b10);
    EXPECT_EQ(word_hashes(0b1010'01100'10001).first, 0b10001 ^ 0b01100 ^ 0b1010);
    EXPECT_EQ(word_hashes(0b1010'01100'10001).second, 0b01000 ^ 0b10011 ^ 0b10);
}

}  // namespace
}  // namespace heddle
