// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle {

/// Message ids of the crossbar's reports.
namespace crossbar_report {
inline constexpr const char* protocol = "heddle/crossbar/protocol";
inline constexpr const char* address = "heddle/crossbar/address";
inline constexpr const char* length = "heddle/crossbar/length";
}  // namespace crossbar_report

}  // namespace heddle
