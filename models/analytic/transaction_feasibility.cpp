// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/transaction_feasibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "models/analytic/transaction_storage.h"
#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/device/launch_limits.h"
#include "models/device/transaction_cost.h"
#include "models/program/address_map.h"

namespace heddle::analytic {
namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;

constexpr std::uint8_t stack_pointer = 2;

/// Where a jalr goes that follows the auipc of its base; none: only a run knows.
std::optional<std::uint32_t> paired_target(const program::kernel_code& code, std::uint32_t pc) {
    const instruction& jump = code.at(pc);
    if (!code.contains(pc - 4)) return std::nullopt;
    const instruction& base = code.at(pc - 4);
    if (base.op != opcode::auipc || base.rd != jump.rs1) return std::nullopt;
    return pc - 4 + static_cast<std::uint32_t>(base.imm) + static_cast<std::uint32_t>(jump.imm);
}

/// Follows all paths from a tx.begin to the commits behind it, into functions too.
class path_walk {
public:
    path_walk(const program::kernel_code& code, std::uint32_t begin) : code_(code) {
        site_.pc = begin;
        add(begin + 4);
        while (!work_.empty()) {
            const std::uint32_t pc = work_.back();
            work_.pop_back();
            step(pc);
        }
        site_.loops = site_.loops && site_.loads + site_.stores != 0;
    }
    [[nodiscard]] const transaction_site& site() const { return site_; }

private:
    void add(std::uint32_t pc) {
        if (code_.contains(pc) && seen_.insert(pc).second) work_.push_back(pc);
    }
    void go(std::uint32_t from, std::uint32_t to) {
        site_.loops = site_.loops || (to <= from && to > site_.pc);
        add(to);
    }

    void step(std::uint32_t pc) {
        const instruction& i = code_.at(pc);
        const std::uint32_t target = pc + static_cast<std::uint32_t>(i.imm);
        switch (i.cls) {
            case instruction_class::transaction:
                return;
            case instruction_class::branch:
                go(pc, target);
                break;
            case instruction_class::jump:
                if (!i.is_call()) return go(pc, target);
                add(target);
                break;
            case instruction_class::jump_register:
                if (i.is_return()) return;
                if (const auto callee = paired_target(code_, pc)) {
                    add(*callee);
                } else {
                    site_.calls_unknown = true;
                }
                if (!i.is_call()) return;
                break;
            case instruction_class::load:
                site_.loads += 1;
                break;
            case instruction_class::store:
                site_.stores += i.rs1 == stack_pointer ? 0 : 1;
                break;
            default:
                break;
        }
        add(pc + 4);
    }

    const program::kernel_code& code_;
    transaction_site site_;
    std::set<std::uint32_t> seen_;
    std::vector<std::uint32_t> work_;
};

/// What one block takes, and how many of them an SMX holds.
detection_fit fit_of(const program::kernel& kernel, const launch_shape& shape,
                     const machine_configuration& machine) {
    const transaction_detection& detection = machine.tm.detection;
    const std::uint64_t threads = round_up(shape.block.x, machine.warp_size);
    const auto warps = static_cast<std::uint32_t>(threads / machine.warp_size);
    const scalar_registers scalars = transaction_scalars(warps, machine.warp_size);
    const std::uint64_t shared =
        shape.dynamic_shared_bytes == 0
            ? kernel.static_shared_bytes
            : round_up(kernel.static_shared_bytes, program::dynamic_shared_alignment) +
                  shape.dynamic_shared_bytes;
    detection_fit fit{detection,
                      shared + transaction_cost::shadow_bytes(shared),
                      round_up(kernel.registers, machine.smx.register_granule) * threads +
                          detection.vector_registers,
                      scalars.masks + (detection.write_signatures ? scalars.write_signatures : 0),
                      0,
                      ""};
    try {
        const block_resources need = check_launch(kernel, shape, machine);
        smx_capacity capacity(machine.smx);
        for (; capacity.fits(need); capacity.take(need)) ++fit.blocks;
    } catch (const run_error& error) {
        fit.reason = error.what();
        const std::string launch = fmt::format("launch of kernel '{}': ", kernel.name);
        if (fit.reason.rfind(launch, 0) == 0) fit.reason.erase(0, launch.size());
    }
    const std::uint64_t scalar_limit = machine.tm.scalar_registers;
    if (fit.blocks != 0 && fit.scalar_registers > scalar_limit) {
        fit.blocks = 0;
        fit.reason = fmt::format("{} scalar registers; the limit is {} (tm.scalar_registers)",
                                 fit.scalar_registers, scalar_limit);
    }
    return fit;
}

bool fits_without(program::kernel kernel, const launch_shape& shape,
                  const machine_configuration& machine) {
    kernel.transaction_pc.reset();
    try {
        static_cast<void>(check_launch(kernel, shape, machine));
    } catch (const run_error&) {
        return false;
    }
    return true;
}

/// A rule of section 7: when such a detection is preferred.
struct preference {
    bool applies;
    bool (*suits)(const transaction_detection&);
    const char* reason;
};

bool has_directory(const transaction_detection& detection) {
    return detection.directory;
}
bool has_write_signatures(const transaction_detection& detection) {
    return detection.write_signatures;
}
bool has_common_signatures(const transaction_detection& detection) {
    return !detection.directory && !detection.write_signatures;
}

/// The last detection that fits and suits; null: there is none.
const transaction_detection* last_of(const std::vector<detection_fit>& fits,
                                     const preference& rule) {
    const transaction_detection* found = nullptr;
    for (const detection_fit& fit : fits) {
        if (fit.blocks != 0 && rule.suits(fit.detection)) found = &fit.detection;
    }
    return found;
}

/// By the first rule that applies and has a detection.
void prefer(transaction_feasibility& judged, bool fits_otherwise) {
    const auto any = [&](bool (transaction_site::*holds)() const noexcept) {
        return std::any_of(judged.sites.begin(), judged.sites.end(),
                           [&](const transaction_site& site) { return (site.*holds)(); });
    };
    const preference rules[] = {
        {any(&transaction_site::read_only), has_write_signatures,
         "transactions that only read do not conflict with each other"},
        {any(&transaction_site::large), has_directory,
         "large sets fill signatures, a directory has no false conflicts"},
        {true, has_common_signatures, "short transactions that write what they read"},
        {true, has_directory, "there are no registers for signatures"},
    };
    for (const preference& rule : rules) {
        const transaction_detection* const best =
            rule.applies ? last_of(judged.fits, rule) : nullptr;
        if (best == nullptr) continue;
        judged.preferred =
            fmt::format("{} with {}", best->name,
                        judged.multiple_selection ? "ascending_multiple" : "ascending_single");
        judged.reason = rule.reason;
        return;
    }
    judged.preferred = fits_otherwise ? "a lock of the block" : "nothing";
    judged.reason = fits_otherwise ? "the kernel fits, its transactions don't"
                                   : "the kernel does not fit without transactions either";
}

}  // namespace

std::vector<transaction_site> find_transactions(const program::kernel& kernel) {
    std::vector<transaction_site> sites;
    const program::kernel_code& code = kernel.code;
    std::set<std::uint32_t> seen{kernel.entry};
    std::vector<std::uint32_t> work{kernel.entry};
    const auto add = [&](std::uint32_t pc) {
        if (code.contains(pc) && seen.insert(pc).second) work.push_back(pc);
    };
    while (!work.empty()) {
        const std::uint32_t pc = work.back();
        work.pop_back();
        const instruction& i = code.at(pc);
        if (i.op == opcode::tx_begin) sites.push_back(path_walk(code, pc).site());
        const bool jumps = i.cls == instruction_class::jump;
        if (jumps || i.cls == instruction_class::branch) {
            add(pc + static_cast<std::uint32_t>(i.imm));
        }
        if (i.cls == instruction_class::jump_register && !i.is_return()) {
            if (const auto target = paired_target(code, pc)) add(*target);
        }
        const bool ends = i.op == opcode::exit || i.is_illegal() || (jumps && !i.is_call()) ||
                          (i.cls == instruction_class::jump_register && !i.is_call());
        if (!ends) add(pc + 4);
    }
    std::sort(sites.begin(), sites.end(), [](const auto& a, const auto& b) { return a.pc < b.pc; });
    return sites;
}

transaction_feasibility judge_transactions(const program::kernel& kernel, std::uint32_t threads,
                                           std::uint32_t dynamic_shared_bytes,
                                           machine_configuration machine) {
    transaction_feasibility judged;
    judged.sites = find_transactions(kernel);
    launch_shape shape{{1}, {threads}};
    shape.dynamic_shared_bytes = dynamic_shared_bytes;
    machine.tm.enabled = true;
    for (const transaction_detection& detection : machine.tm.detections) {
        machine.tm.detection = detection;
        judged.fits.push_back(fit_of(kernel, shape, machine));
    }
    const auto warps =
        static_cast<std::uint32_t>(round_up(threads, machine.warp_size) / machine.warp_size);
    const scalar_registers scalars = transaction_scalars(warps, machine.warp_size);
    judged.multiple_selection =
        scalars.masks + scalars.multiple_selection + scalars.write_signatures <=
        machine.tm.scalar_registers;
    prefer(judged, fits_without(kernel, shape, machine));
    return judged;
}

}  // namespace heddle::analytic
