// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::layering {

/// Checks a source tree for what docs/contracts.md promises of the code, and returns what breaks
/// it, one "FILE:LINE: what" each, by file name:
/// - no SC_REPORT_FATAL, assert, abort or other sudden end; only run_control stops the kernel;
/// - one SC_THREAD, the host's, and one SC_METHOD for each clock;
/// - a throw stands only in files whose exceptions leave before or beside the simulation;
/// - configurations are passed by const reference, and there are no variables outside of objects;
/// - addresses of the map are written in models/program/address_map.h only;
/// - no block looks a text up, and no part of an SMX scans all warps;
/// - a waveform's push is one branch without a sink;
/// - workloads see models/device/device.h only, which includes nothing of the machine.
std::vector<std::string> broken_promises(const std::filesystem::path& root);

}  // namespace heddle::layering
