// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

/// Message ids of the SMX scheduler's reports.
namespace heddle::smx_scheduler_report {

inline constexpr const char* protocol = "heddle/smx_scheduler/protocol";
inline constexpr const char* illegal_kernel = "heddle/smx_scheduler/illegal_kernel";
inline constexpr const char* record_port = "heddle/smx_scheduler/record_port";

}  // namespace heddle::smx_scheduler_report
