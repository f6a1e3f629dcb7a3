// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heddle::layering {

/// Checks a source tree (its folders command, configs, docs, hw, include, library, models,
/// scripts, tb and tests) and returns what breaks the rules, one "FILE:LINE: what" each, by file
/// name:
/// - models never include SystemC, TLM, hw, tb or tests, and each folder of models only those that
///   stand below it;
/// - hw/base <- hw/protocol <- hw/BLOCK <- hw/top <- command <- library; a block never includes
/// another
///   block, and never the functional simulator or the workloads;
/// - inside hw/smx and hw/smx_scheduler: a room includes those of a lower rank only (the table in
///   layering.cpp);
/// - a class of hw, models, command or library has at most 30 data members and 40 functions;
/// - project headers are included by their path from the root; those for users, in include, include
///   nothing of the project;
/// - what uses SystemC uses nothing that IEEE 1666-2023 deprecates;
/// - headers have #pragma once and no using-directive;
/// - no file is left over by a tool (.orig, .rej, .bak, ~);
/// - every source file has the two licence lines and at most 400 lines.
std::vector<std::string> violations(const std::filesystem::path& root);

/// The ranks of a block's rooms by their folders below the block's; "": its own. Empty: it has no
/// rooms.
std::map<std::string, int> rooms_of(const std::string& block);

}  // namespace heddle::layering
