// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle {

/// For what gets messages of several parts, and touches what these share: reports an error if a
/// crew shares the edge and the part that calls has not called crew::in_order().
void expect_turn();

}  // namespace heddle
