// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_configuration.h"

#include <string>

#include "hw/smx/thread_pool/formations.h"

namespace heddle {
namespace {

constexpr const char* unit_names[unit_class_count] = {
    "integer", "multiply", "divide", "floating", "floating_divide", "special", "memory"};

bool power_of_two(std::uint32_t value) {
    return (value & (value - 1)) == 0;
}

}  // namespace

void unit_configuration::declare(parameter_list& p) {
    p.add("count", count, range(1, 8), "instruction",
          "Instructions that the units of this class can take in one cycle")
        .larger_is_better();
    p.add("latency", latency, range(1, 400), "cycle",
          "Latency of an instruction of this class, from the operands to the result")
        .smaller_is_better();
    p.add("initiation_interval", initiation_interval, range(1, 64), "cycle",
          "Time between two instructions of this class that go to one unit")
        .smaller_is_better();
}

void smx_configuration::declare(parameter_list& p) {
    p.add("schedulers", schedulers, range(1, maximum_schedulers), "scheduler",
          "Warp schedulers of an SMX; smx.scheduler_assignment divides the warp slots among them")
        .larger_is_better()
        .of("smx.issue");
    p.add("issue_interval", issue_interval, range(1, maximum_interval), "cycle",
          "Time between two instructions of one scheduler; the schedulers of an SMX take turns")
        .smaller_is_better()
        .of("smx.issue");
    p.add("formation", formation, formations::names(),
          "Which threads run together: " + formations::description())
        .best("mimd")
        .of("smx.formation");
    p.add(
        "stack_entries", stack_entries, range(0, 1024), "entry",
        "Entries of each warp's reconvergence stack with smx.formation = pdom; an instruction that "
        "needs more of them is a fault of the kernel. 0 = as many as the kernel needs");
    p.add("barrel", barrel,
          "A warp has at most one instruction in flight; there is no scoreboard. Formations other "
          "than pdom always issue so")
        .best(false)
        .of("smx.issue");
    p.add("dual_issue", dual_issue,
          "A scheduler issues a second instruction of the warp that it has picked in the same "
          "cycle, if that one is in the instruction buffer, has its operands and finds its unit "
          "free")
        .best(true)
        .of("smx.issue");
    p.require({"dual_issue", "barrel"}, "smx.dual_issue is false where smx.barrel is true",
              [this] { return !dual_issue || !barrel; });
    p.add("scheduler_pipeline", scheduler_pipeline,
          "All units but memory are one pipeline for each scheduler, as the SIMD units of GCN: an "
          "instruction keeps all of them for its interval")
        .best(false)
        .of("smx.issue");
    p.require({"scheduler_pipeline", "dual_issue"},
              "smx.dual_issue is false where smx.scheduler_pipeline is true",
              [this] { return !dual_issue || !scheduler_pipeline; });
    p.add("instruction_buffer", instruction_buffer, range(1, 16), "instruction",
          "Instruction buffer of a warp: decoded instructions that can wait for issue")
        .larger_is_better()
        .of("smx.fetch");
    p.add("fetch_width", fetch_width, range(1, 8), "warp",
          "Warps whose instruction buffers are filled in one cycle")
        .larger_is_better()
        .of("smx.fetch");
    p.add("branch_latency", branch_latency, range(1, 64), "cycle",
          "Time from the issue of a branch, jump or return to the fetch of the next instruction")
        .smaller_is_better()
        .of("smx.fetch");
    p.add("barrier_latency", barrier_latency, range(1, 1000), "cycle",
          "Time from the last arrival at a barrier to the first issue behind it")
        .smaller_is_better()
        .of("smx.barrier");
    p.add("operand_latency", operand_latency, range(0, 32), "cycle",
          "Time to read the operands of an instruction without a bank conflict")
        .smaller_is_better()
        .of("smx.operands");
    p.add("register_banks", register_banks, range(1, 64), "bank",
          "Register banks; each delivers one register of a warp in a cycle")
        .larger_is_better()
        .of("smx.operands");
    p.add("writeback_ports", writeback_ports, range(1, 64), "result",
          "Write-back ports: registers of warps that can be written in one cycle; data from memory "
          "go first")
        .larger_is_better()
        .of("smx.writeback");
    p.add("writeback_interval", writeback_interval, range(0, 8), "cycle",
          "Above 0 there is one write-back port, which a register of a warp keeps for this time; "
          "while a result waits for it nothing issues. 0 = smx.writeback_ports registers a cycle")
        .smaller_is_better()
        .of("smx.writeback");
    for (std::size_t unit = 0; unit < unit_class_count; ++unit) {
        p.nest(std::string("units.") + unit_names[unit], units[unit]);
    }
}

void l1i_configuration::declare(parameter_list& p) {
    p.add("size", size, range(64, 1 << 20), "byte", "Capacity of the instruction cache")
        .larger_is_better(1 << 20);
    p.add("line", line, one_of({32, 64, 128}), "byte", "Line of the instruction cache");
    p.add("ways", ways, range(1, 64), "line", "Lines in a set of the instruction cache")
        .larger_is_better();
    p.add("hit_latency", hit_latency, range(1, 64), "cycle",
          "Latency of a hit in the instruction cache, from the fetch to the decoded instruction")
        .smaller_is_better();
    p.add("mshrs", mshrs, range(1, 64), "line",
          "Miss registers of the instruction cache: lines that it can fetch at a time")
        .larger_is_better();
    p.require({"size", "line", "ways"}, "l1i.size is l1i.ways * l1i.line * a power of two", [this] {
        const std::uint32_t set = ways * line;
        return size >= set && size % set == 0 && power_of_two(size / set);
    });
}

}  // namespace heddle
