// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/kernel_analysis.h"

#include <algorithm>

#include "models/base/round_up.h"
#include "models/program/address_map.h"
#include "models/program/soft_double.h"

namespace heddle::program {

namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;

constexpr std::uint8_t stack_pointer = 2;

/// Index of the function that contains pc.
std::optional<std::size_t> function_index(const program_model& program, std::uint32_t pc) {
    const function_range* found = function_at(program.functions, pc);
    if (found == nullptr) return std::nullopt;
    return static_cast<std::size_t>(found - program.functions.data());
}

bool starts_forks(const code_text& text, const function_range& function) {
    for (std::uint32_t pc = function.start; pc < function.end; pc += 4) {
        const opcode op = text.at(pc).op;
        if (op == opcode::request_fork || op == opcode::resizing_global_barrier) return true;
    }
    return false;
}

/// The functions that a kernel may execute: its call graph.
class reachable_functions {
public:
    reachable_functions(const program_model& program, std::uint32_t entry) : program_(program) {
        add(entry);
        follow();
        // Only with an indirect call (or fork) among them do addresses count as calls; then the
        // added functions may take further addresses.
        while (uses_pointers_ && add_address_taken()) follow();
    }

    [[nodiscard]] const std::set<std::size_t>& indices() const { return indices_; }
    [[nodiscard]] bool calls_indirectly() const { return uses_pointers_; }

private:
    void add(std::uint32_t pc) {
        const auto index = function_index(program_, pc);
        if (index && indices_.insert(*index).second) work_.push_back(*index);
    }

    void follow() {
        while (!work_.empty()) {
            const auto& graph = program_.graphs[work_.back()];
            work_.pop_back();
            uses_pointers_ = uses_pointers_ || starts_forks(program_.text, graph.range);
            for (const auto& call : graph.calls) {
                if (call.target) {
                    add(*call.target);
                } else {
                    uses_pointers_ = true;
                }
            }
        }
    }

    /// A kernel's address is taken to launch it, not to call it.
    void add_callee(std::uint32_t start) {
        if (program_.kernel_functions.count(start) == 0) add(start);
    }

    bool add_address_taken() {
        const std::size_t before = indices_.size();
        for (const std::uint32_t start : program_.refs.functions_in_data) add_callee(start);
        for (const auto& [pc, start] : program_.refs.function_addresses) {
            const auto user = function_index(program_, pc);
            if (user && indices_.count(*user) != 0) add_callee(start);
        }
        return indices_.size() != before;
    }

    const program_model& program_;
    std::set<std::size_t> indices_;
    std::vector<std::size_t> work_;
    bool uses_pointers_ = false;
};

/// The lowest PC of an instruction of the class in these functions.
std::optional<std::uint32_t> first_of(const program_model& program,
                                      const std::set<std::size_t>& functions,
                                      instruction_class cls) {
    for (const std::size_t index : functions) {
        const function_range& function = program.functions[index];
        for (std::uint32_t pc = function.start; pc < function.end; pc += 4) {
            if (program.text.at(pc).cls == cls) return pc;
        }
    }
    return std::nullopt;
}

/// Deepest stack over the call paths of a function without indirect calls.
class stack_depth {
public:
    explicit stack_depth(const program_model& program) : program_(program) {}

    std::optional<std::uint32_t> of(std::size_t index) {
        const auto known = done_.find(index);
        if (known != done_.end()) return known->second;  // on the current path: recursion, none
        done_[index] = std::nullopt;
        return done_[index] = compute(program_.graphs[index]);
    }

private:
    std::optional<std::uint32_t> compute(const function_graph& graph) {
        const auto own = frame_size(program_, graph);
        if (!own) return std::nullopt;
        std::uint64_t deepest = *own;
        for (const auto& call : graph.calls) {
            const auto callee = call.target ? function_index(program_, *call.target) : std::nullopt;
            if (!callee) return std::nullopt;
            const auto below = of(*callee);
            if (!below) return std::nullopt;
            // A tail call runs after the frame is gone.
            deepest =
                std::max<std::uint64_t>(deepest, (call.tail ? 0 : std::uint64_t{*own}) + *below);
        }
        if (deepest > private_window.size) return std::nullopt;
        return static_cast<std::uint32_t>(deepest);
    }

    const program_model& program_;
    std::map<std::size_t, std::optional<std::uint32_t>> done_;
};

/// New addresses of the objects that the functions refer to, packed from the window's base.
std::map<std::size_t, std::uint32_t> lay_out_shared(const program_model& program,
                                                    const std::set<std::size_t>& functions,
                                                    std::uint32_t& bytes) {
    std::set<std::size_t> used;
    for (const auto& reference : program.refs.shared) {
        const auto user = function_index(program, reference.pc);
        if (user && functions.count(*user) != 0) used.insert(reference.object);
    }
    std::map<std::size_t, std::uint32_t> addresses;
    std::uint32_t end = shared_window.base;
    for (const std::size_t index : used) {
        const auto& object = program.refs.objects[index];
        end = static_cast<std::uint32_t>(round_up(end, object.alignment));
        addresses[index] = end;
        end += object.size;
    }
    bytes = end - shared_window.base;
    return addresses;
}

/// The word with its immediate replaced by that of part `what` of `value`.
std::uint32_t with_immediate(std::uint32_t raw, shared_reference::part what, std::uint32_t value) {
    using part = shared_reference::part;
    switch (what) {
        case part::high:
        case part::pc_high:
            return (raw & 0xfffu) | ((value + 0x800u) & 0xfffff000u);
        case part::low_i:
        case part::pc_low_i:
            return (raw & 0xfffffu) | (value << 20);
        case part::low_s:
        case part::pc_low_s:
            return (raw & 0x1fff07fu) | ((value & 0x1fu) << 7) | (((value >> 5) & 0x7fu) << 25);
    }
    return raw;
}

void mark_soft_double(const program_model& program, const std::set<std::size_t>& functions,
                      kernel& kernel) {
    for (std::size_t index = 0; index < program.functions.size(); ++index) {
        const function_range& function = program.functions[index];
        if (!is_soft_double(function.name)) continue;
        for (std::uint32_t pc = function.start; pc < function.end; pc += 4) {
            kernel.code.flags[kernel.code.index(pc)] |= soft_double;
        }
        kernel.soft_double = kernel.soft_double || functions.count(index) != 0;
    }
}

void rebase(const program_model& program, const std::map<std::size_t, std::uint32_t>& addresses,
            kernel_code& code) {
    using part = shared_reference::part;
    for (const auto& reference : program.refs.shared) {
        const auto address = addresses.find(reference.object);
        if (address == addresses.end() || !code.contains(reference.pc)) continue;
        std::uint32_t value = address->second + reference.offset;
        if (reference.what == part::pc_high || reference.what == part::pc_low_i ||
            reference.what == part::pc_low_s) {
            value -= reference.high_pc;
        }
        instruction& target = code.instructions[code.index(reference.pc)];
        target = isa::decode(with_immediate(target.raw, reference.what, value));
    }
}

}  // namespace

unsigned registers_used(const code_text& text, const function_range& function) {
    unsigned highest = 0;
    for (std::uint32_t pc = function.start; pc < function.end; pc += 4) {
        const instruction& i = text.at(pc);
        const bool immediate_csr =
            i.op == opcode::csrrwi || i.op == opcode::csrrsi || i.op == opcode::csrrci;
        const unsigned rd = i.rd == isa::sink_register ? 0 : i.rd;
        const unsigned rs1 = immediate_csr ? 0 : i.rs1;
        highest = std::max({highest, rd, rs1, unsigned{i.rs2}, unsigned{i.rs3}});
    }
    return highest + 1;
}

std::optional<std::uint32_t> frame_size(const program_model& program,
                                        const function_graph& function) {
    const auto listed = program.frame_bytes.find(function.range.start);
    if (listed != program.frame_bytes.end()) return listed->second;
    std::int64_t depth = 0;
    for (std::uint32_t pc = function.range.start; pc < function.range.end; pc += 4) {
        const instruction& i = program.text.at(pc);
        if (i.rd != stack_pointer || !i.writes_register()) continue;
        if (i.op != opcode::addi || i.rs1 != stack_pointer) return std::nullopt;
        if (i.imm < 0) depth -= i.imm;
    }
    return static_cast<std::uint32_t>(depth);
}

void analyse_kernel(const program_model& program, kernel& kernel) {
    const reachable_functions reachable(program, kernel.entry);
    kernel.calls_indirectly = reachable.calls_indirectly();
    for (const std::size_t index : reachable.indices()) {
        kernel.registers =
            std::max(kernel.registers, registers_used(program.text, program.functions[index]));
    }
    kernel.exchange_pc = first_of(program, reachable.indices(), instruction_class::exchange);
    kernel.launch_pc = first_of(program, reachable.indices(), instruction_class::launch);
    kernel.transaction_pc = first_of(program, reachable.indices(), instruction_class::transaction);
    const auto entry = function_index(program, kernel.entry);
    if (entry && !kernel.calls_indirectly) kernel.stack_bytes = stack_depth(program).of(*entry);

    kernel.code.base = program.text.base;
    kernel.code.instructions = program.text.instructions;
    kernel.code.reconvergence = program.reconvergence.target;
    kernel.code.flags = program.reconvergence.flags;
    for (std::size_t i = 0; i < program.constant_loads.size(); ++i) {
        if (program.constant_loads[i]) kernel.code.flags[i] |= constant_load;
    }
    mark_soft_double(program, reachable.indices(), kernel);
    rebase(program, lay_out_shared(program, reachable.indices(), kernel.static_shared_bytes),
           kernel.code);
}

}  // namespace heddle::program
