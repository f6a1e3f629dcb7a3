// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/slot_internals_file.h"

#include <fmt/format.h>

#include <systemc>
#include <utility>

#include "hw/base/present.h"
#include "hw/protocol/trace_writer.h"
#include "models/base/error.h"

namespace heddle {

slot_internals_file::slot_internals_file(std::string file) : file_(std::move(file)) {}

const std::string& slot_internals_file::begin(const std::string& slot,
                                              const std::string& instance) {
    if (!instance_.empty()) {
        throw configuration_error(
            fmt::format("--rtl-vcd: a file has the signals of one instance, and {} and {} have "
                        "RTL; slot.{}.where says which",
                        instance_, instance, slot));
    }
    instance_ = instance;
    return file_;
}

std::uint64_t slot_internals_file::now() const {
    return protocol::picoseconds(present::time());
}

void slot_internals_file::check() const {
    if (!instance_.empty()) return;
    throw configuration_error(
        "--rtl-vcd: no slot has RTL; --set slot.NAME=shadow and slot.NAME.where choose one");
}

}  // namespace heddle
