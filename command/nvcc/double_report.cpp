// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/double_report.h"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace heddle::command {
namespace {

using isa::opcode, program::kernel_code;

/// Where the instruction at `pc` jumps to, also by the address that the one before it forms.
std::optional<std::uint32_t> target_of(const kernel_code& code, std::uint32_t pc) {
    const isa::instruction& jump = code.at(pc);
    const auto by = static_cast<std::uint32_t>(jump.imm);
    if (jump.op == opcode::jal) return pc + by;
    if (jump.op != opcode::jalr || !code.contains(pc - 4)) return std::nullopt;
    const isa::instruction& base = code.at(pc - 4);
    if (base.op != opcode::auipc || base.rd != jump.rs1) return std::nullopt;
    return pc - 4 + static_cast<std::uint32_t>(base.imm) + by;
}

bool computes_double(const kernel_code& code, std::uint32_t pc) {
    return code.contains(pc) && (code.flags[code.index(pc)] & program::soft_double) != 0;
}

}  // namespace

std::string double_report(const program::image& image) {
    std::string text;
    for (const program::kernel& kernel : image.kernels()) {
        if (!kernel.soft_double) continue;
        text += fmt::format(
            "nvcc: warning: kernel '{}' computes in double precision, which is software\n",
            kernel.name);
    }
    const kernel_code& code = image.code();
    std::set<std::string> named;
    for (std::size_t i = 0; i < code.instructions.size() && !text.empty(); ++i) {
        const std::uint32_t pc = code.base + static_cast<std::uint32_t>(4 * i);
        const auto target = target_of(code, pc);
        if (!target || !computes_double(code, *target) || computes_double(code, pc)) continue;
        const std::string place = image.locate(pc).text();
        const program::symbol* const callee = image.symbol_at(*target);
        if (!named.insert(place).second || callee == nullptr) continue;
        text += fmt::format("nvcc: warning: {}: double precision ({})\n", place, callee->name);
    }
    return text;
}

}  // namespace heddle::command
