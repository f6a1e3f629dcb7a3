// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include "tests/rtl_smx/instruction_program.h"
#include "tests/rtl_smx/settings.h"

namespace heddle::rtl_smx {
namespace {

/// HEDDLE_COUNT sets how many, HEDDLE_SEED which.
TEST(rtl_instructions, run_in_lock_step) {
    const unsigned first = setting("HEDDLE_SEED", 1);
    for (unsigned seed = first; seed < first + setting("HEDDLE_COUNT", 12); ++seed) {
        rtl_settings settings;
        const unsigned s = seed % 3 * 35;
        settings.stalls = {s, s, s, s, s, s};
        settings.seed = seed;
        settings.fault = setting("HEDDLE_FAULT", 0);
        ASSERT_NO_THROW(instruction_program(seed, 400).run(settings)) << "seed " << seed;
    }
}

}  // namespace
}  // namespace heddle::rtl_smx
