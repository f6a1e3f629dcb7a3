// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the conflict detectors state of themselves, and who finds them by it.
#include "hw/smx/tm/conflict_detectors.h"

#include <gmock/gmock.h>

#include "hw/smx/tm/bank_state.h"
#include "hw/smx/tm/transaction_detections.h"

namespace heddle {
namespace {

/// Villegas et al., Table 3, for 256 threads, 32 banks and 64 KB: 8 bits for each thread and bank;
/// an S and an M bit for each of the 7281 words that fit with their shadow memory.
TEST(conflict_detectors, take_the_registers_of_the_paper) {
    constexpr unsigned register_bits = 32;
    constexpr unsigned signatures = 256 * 32 * 8 / register_bits;
    EXPECT_EQ(conflict_detectors::of<prw_sig>.vector_registers, signatures);
    EXPECT_EQ(conflict_detectors::of<swo_sig>.vector_registers, signatures);
    EXPECT_EQ(conflict_detectors::of<dcd>.vector_registers, 0);
    EXPECT_EQ(conflict_detectors::of<smdcd>.vector_registers,
              (2 * 7281 + register_bits - 1) / register_bits);
}

TEST(conflict_detectors, are_what_a_configuration_chooses_from) {
    const std::vector<transaction_detection> all = transaction_detections();
    EXPECT_EQ(all, conflict_detectors::all());
    const transaction_configuration configuration(all);
    EXPECT_EQ(configuration.detection, conflict_detectors::of<prw_sig>);
    for (const transaction_detection& each : all) {
        const std::string found = conflict_detectors::visit(
            each, [](auto part) { return std::string(decltype(part)::type::name); });
        EXPECT_EQ(found, each.name);
    }
}

TEST(conflict_detectors, no_bank_without_one) {
    EXPECT_THROW((void)make_bank_state({transaction_configuration(), 1, 1}), std::logic_error);
}

}  // namespace
}  // namespace heddle
