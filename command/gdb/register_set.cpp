// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/register_set.h"

#include <fmt/format.h>

#include <iterator>

#include "command/gdb/wire/packet.h"
#include "models/isa/instruction.h"

namespace heddle::command::gdb {
namespace {

/// Entries of the reconvergence stack that are shown, from the top.
constexpr unsigned shown_entries = 8;

/// Index of a lane's thread in its block.
dim3 thread_index(const simt::debugged_warp& warp, unsigned lane) {
    const dim3& extent = warp.block().block;
    const std::uint64_t linear = std::uint64_t{warp.index()} * warp.lanes() + lane;
    return simt::unflatten(linear, extent);
}

enum class width { word, mask, twice };

/// A register of the group with one value.
struct simt_row {
    const char* name;
    width bits;
    std::uint64_t (*value)(const debugged_thread&, unsigned lane, std::uint64_t cycle);
};

#define HEDDLE_VALUE(expression)                                                  \
    [](const debugged_thread& t [[maybe_unused]], unsigned lane [[maybe_unused]], \
       std::uint64_t cycle [[maybe_unused]]) -> std::uint64_t { return (expression); }

constexpr simt_row simt_rows[] = {
    {"lane", width::word, HEDDLE_VALUE(lane)},
    {"mask", width::mask, HEDDLE_VALUE(t.mask())},
    {"live", width::mask, HEDDLE_VALUE(t.warp.live())},
    {"depth", width::word, HEDDLE_VALUE(t.warp.stack().size())},
    {"smx", width::word, HEDDLE_VALUE(t.warp.block().sm)},
    {"block", width::word, HEDDLE_VALUE(linear_block(t.warp.block()))},
    {"block_x", width::word, HEDDLE_VALUE(t.warp.block().index.x)},
    {"block_y", width::word, HEDDLE_VALUE(t.warp.block().index.y)},
    {"block_z", width::word, HEDDLE_VALUE(t.warp.block().index.z)},
    {"warp", width::word, HEDDLE_VALUE(t.warp.index())},
    {"thread_x", width::word, HEDDLE_VALUE(thread_index(t.warp, lane).x)},
    {"thread_y", width::word, HEDDLE_VALUE(thread_index(t.warp, lane).y)},
    {"thread_z", width::word, HEDDLE_VALUE(thread_index(t.warp, lane).z)},
    {"grid", width::word, HEDDLE_VALUE(t.warp.block().gridid)},
    {"cycle", width::twice, HEDDLE_VALUE(cycle)},
    {"n", width::twice, HEDDLE_VALUE(t.executed)},
};

#undef HEDDLE_VALUE

constexpr unsigned first_row = register_set::lane;
constexpr unsigned first_vector = first_row + std::size(simt_rows);
constexpr const char* stack_registers[] = {"stack_pc", "stack_join", "stack_mask"};
constexpr unsigned end_of_registers = first_vector + std::size(stack_registers);

}  // namespace

std::string register_set::description() const {
    std::string text =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n"
        "<architecture>riscv:rv32</architecture>\n<osabi>none</osabi>\n"
        "<feature name=\"org.gnu.gdb.riscv.cpu\">\n";
    for (unsigned i = 0; i < isa::register_count; ++i) {
        const char* const type = i == 1 ? "code_ptr" : i == 2 ? "data_ptr" : "int";
        text += fmt::format("<reg name=\"{}\" bitsize=\"32\" type=\"{}\" regnum=\"{}\"/>\n",
                            i == 8 ? "fp" : isa::register_name(i), type, i);
    }
    text += fmt::format(
        "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" regnum=\"{}\"/>\n</feature>\n"
        "<feature name=\"org.heddle.simt\">\n"
        "<vector id=\"stack_of_pcs\" type=\"code_ptr\" count=\"{}\"/>\n"
        "<vector id=\"stack_of_masks\" type=\"uint{}\" count=\"{}\"/>\n",
        pc, shown_entries, mask_bits(), shown_entries);
    unsigned number = first_row;
    for (const simt_row& one : simt_rows) {
        text += fmt::format(
            "<reg name=\"{}\" bitsize=\"{}\" type=\"uint{}\" regnum=\"{}\" group=\"simt\"/>\n",
            one.name, 8 * bytes(number), 8 * bytes(number), number);
        ++number;
    }
    for (const char* name : stack_registers) {
        const bool masks = number + 1 == end_of_registers;
        text += fmt::format(
            "<reg name=\"{}\" bitsize=\"{}\" type=\"stack_of_{}\" regnum=\"{}\" group=\"simt\"/>\n",
            name, 8 * bytes(number), masks ? "masks" : "pcs", number);
        ++number;
    }
    return text + "</feature>\n</target>\n";
}

unsigned register_set::bytes(unsigned number) const {
    if (number < first_row) return 4;
    if (number < first_vector) {
        const width bits = simt_rows[number - first_row].bits;
        return bits == width::word ? 4 : bits == width::mask ? mask_bits() / 8 : 8;
    }
    return shown_entries * (number + 1 == end_of_registers ? mask_bits() / 8 : 4);
}

std::optional<std::uint64_t> register_set::value(unsigned number, const named_thread& of,
                                                 std::uint64_t cycle) const {
    const debugged_thread& thread = *of.thread;
    if (number < isa::register_count) {
        if (thread.warp.is_awaited(number, of.lane)) return std::nullopt;
        return thread.warp.value(number, of.lane);
    }
    if (number == pc) return thread.pc_of(of.lane);
    if (number >= first_vector) return std::nullopt;
    return simt_rows[number - first_row].value(thread, of.lane, cycle);
}

std::string register_set::packet(unsigned number, const named_thread& of,
                                 std::uint64_t cycle) const {
    if (number >= end_of_registers) return {};
    if (number < first_vector) {
        const auto found = value(number, of, cycle);
        return found ? little_endian(*found, bytes(number)) : std::string(2 * bytes(number), 'x');
    }
    const auto stack = of.thread->warp.stack();
    std::string text;
    for (unsigned i = 0; i < shown_entries; ++i) {
        const bool there = i < stack.size();
        const auto entry = there ? stack[stack.size() - 1 - i] : decltype(stack)::value_type{};
        const std::uint64_t shown = number == first_vector       ? entry.next_pc
                                    : number == first_vector + 1 ? entry.reconvergence_pc
                                                                 : entry.lanes;
        text += little_endian(shown, bytes(number) / shown_entries);
    }
    return text;
}

std::string register_set::all(const named_thread& of, std::uint64_t cycle) const {
    std::string text;
    for (unsigned number = 0; number < end_of_registers; ++number) {
        text += packet(number, of, cycle);
    }
    return text;
}

}  // namespace heddle::command::gdb
