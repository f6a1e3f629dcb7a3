// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/error.h"
#include "models/isa/execute.h"

namespace heddle::isa {

void require_host_support() {
#if defined(__AVX2__) && (defined(__GNUC__) || defined(__clang__))
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi2")) {
        throw configuration_error(
            "heddle: this build needs a processor with AVX2, FMA and BMI2 (x86-64-v3), which this "
            "host lacks; configure with -DHEDDLE_MARCH=x86-64 for older processors");
    }
#endif
}

}  // namespace heddle::isa
