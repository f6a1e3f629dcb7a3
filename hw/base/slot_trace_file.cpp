// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/slot_trace_file.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "models/base/error.h"

namespace heddle {
namespace {

constexpr int version = 2, version_with_counts = 3;
constexpr std::array<char, 4> letters = {'e', 'c', 'r', 'i'};  // as slot_trace::step

/// All digits, the highest first.
void append_hexadecimal(fmt::memory_buffer& line, const std::uint32_t* words, std::size_t bits) {
    for (std::size_t digit = (bits + 3) / 4; digit-- > 0;) {
        const std::uint32_t value = words[digit / 8] >> (digit % 8 * 4) & 0xfU;
        line.push_back("0123456789abcdef"[value]);
    }
}

}  // namespace

slot_trace_file::slot_trace_file(const std::string& file) : output_(make_trace_output(file)) {}

slot_trace_file::~slot_trace_file() = default;

void slot_trace_file::begin(const std::string& slot, const std::string& instance,
                            std::size_t input_bits, std::size_t output_bits) {
    if (!instance_.empty()) {
        throw configuration_error(
            fmt::format("--slot-trace: a file has the ports of one instance, and {} and {} have "
                        "RTL; slot.{}.where says which",
                        instance_, instance, slot));
    }
    instance_ = instance;
    input_bits_ = input_bits;
    output_bits_ = output_bits;
    output_->stream() << fmt::format("heddle-slot-trace {} {} {} {} {}\n",
                                     with_counts_ ? version_with_counts : version, slot, instance,
                                     input_bits, output_bits);
}

void slot_trace_file::write(step what, const std::uint32_t* inputs, const std::uint32_t* outputs,
                            const std::uint32_t* counts) {
    fmt::memory_buffer line;
    line.push_back(letters[static_cast<std::size_t>(what)]);
    line.push_back(' ');
    append_hexadecimal(line, inputs, input_bits_);
    line.push_back(' ');
    append_hexadecimal(line, outputs, output_bits_);
    if (with_counts_) {
        line.push_back(' ');
        append_hexadecimal(line, counts, output_bits_);
    }
    line.push_back('\n');
    output_->stream().write(line.data(), static_cast<std::streamsize>(line.size()));
}

void slot_trace_file::check() const {
    if (!instance_.empty()) return;
    throw configuration_error(
        "--slot-trace: no slot has RTL; --set slot.NAME=shadow and slot.NAME.where choose one");
}

void slot_trace_file::finish() {
    output_->commit();
}

}  // namespace heddle
