// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle::analytic {

/// How many times longer a kernel runs when all of it is preempted every `period` for `execution`
/// of the same unit, and preemption itself is free: P / (P - E) of Sorensen, Evrard, Donaldson,
/// "Cooperative Kernels" (FSE 2017), section 5.5. Precondition: execution < period.
[[nodiscard]] constexpr double preemption_slowdown(double period, double execution) noexcept {
    return period / (period - execution);
}

}  // namespace heddle::analytic
