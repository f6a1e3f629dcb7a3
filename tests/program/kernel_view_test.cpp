// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;
using testing::HasSubstr;

/// Addresses in the shared window that a function forms with lui (+ addi/load/store offsets).
std::set<std::uint32_t> shared_addresses(const std::vector<instruction>& code) {
    std::set<std::uint32_t> out;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != opcode::lui || (code[i].imm >> 28) != 1) continue;
        for (std::size_t j = i + 1; j < code.size(); ++j) {
            const bool uses =
                code[j].rs1 == code[i].rd && (code[j].op == opcode::addi || code[j].is_memory());
            if (uses) out.insert(static_cast<std::uint32_t>(code[i].imm + code[j].imm));
        }
    }
    return out;
}

const char* const two_kernels = R"(
__noinline__ __device__ unsigned common(unsigned x) {
    __shared__ unsigned scratch[16];
    scratch[threadIdx.x] = x; __syncthreads();
    return scratch[x & 15];
}
__global__ void large(unsigned* out) {
    __shared__ unsigned huge[4096];
    huge[threadIdx.x] = out[threadIdx.x]; __syncthreads();
    out[threadIdx.x] = common(huge[out[0] & 4095]);
}
__global__ void small(unsigned* out) { out[threadIdx.x] = common(out[threadIdx.x]); }
__global__ void none(unsigned* out) { out[threadIdx.x] = 1; }
)";

TEST(kernel_view, kernels_do_not_pay_for_each_others_shared_memory) {
    const image program = load_text(two_kernels);
    EXPECT_EQ(program.get_kernel("large").static_shared_bytes, (4096u + 16) * 4);
    EXPECT_EQ(program.get_kernel("small").static_shared_bytes, 64u);
    EXPECT_EQ(program.get_kernel("none").static_shared_bytes, 0u);
}

TEST(kernel_view, a_common_function_is_rebased_for_each_kernel) {
    const image program = load_text(two_kernels);
    const auto& large = program.get_kernel("large");
    const auto& small = program.get_kernel("small");
    const auto addresses = [&](const kernel& k, const char* function) {
        return shared_addresses(instructions_of(program, k, function));
    };
    const auto scratch_small = addresses(small, "_Z6commonj");
    ASSERT_EQ(scratch_small.size(), 1u);
    EXPECT_EQ(*scratch_small.begin(), 0x10000000u);
    // In the large kernel the two objects share the window without overlap.
    const auto scratch = addresses(large, "_Z6commonj");
    const auto huge = addresses(large, "large");
    ASSERT_EQ(scratch.size(), 1u);
    ASSERT_EQ(huge.size(), 1u);
    const std::uint32_t a = *scratch.begin(), b = *huge.begin();
    EXPECT_TRUE(a + 64 <= b || b + 4096 * 4 <= a) << std::hex << a << ' ' << b;
    EXPECT_EQ(std::min(a, b), 0x10000000u);
}

TEST(kernel_view, a_kernel_that_reaches_a_transaction) {
    const image program = load_text(R"(
__shared__ unsigned word;
__noinline__ __device__ void add() { heddle::tx_begin(); ++word; heddle::tx_commit(); }
__noinline__ __device__ void twice() { add(); __syncthreads(); add(); }
__global__ void through_calls() { twice(); }
__global__ void at_once() { heddle::tx_begin(); ++word; heddle::tx_commit(); }
__global__ void none() { ++word; }
)");
    const auto& kernel = program.get_kernel("through_calls");
    ASSERT_TRUE(kernel.transaction_pc);
    EXPECT_EQ(kernel.code.at(*kernel.transaction_pc).op, isa::opcode::tx_begin);
    EXPECT_TRUE(program.get_kernel("at_once").transaction_pc);
    EXPECT_FALSE(program.get_kernel("none").transaction_pc);
}

TEST(kernel_view, alignment_survives_rebasing) {
    const image program = load_text(
        "__global__ void other(char* out) { __shared__ char c[3]; c[*out] = 1; *out = c[1]; }\n"
        "__global__ void k(char* out) {\n"
        "    alignas(64) __shared__ float f[16]; __shared__ char c[5];\n"
        "    alignas(64) __shared__ float g[16];\n"
        "    asm volatile(\"\" ::\"r\"(f), \"r\"(c), \"r\"(g));\n"
        "}\n");
    const auto& k = program.get_kernel("k");
    unsigned aligned = 0;
    const auto addresses = shared_addresses(instructions_of(program, k, "k"));
    for (const std::uint32_t address : addresses) aligned += address % 64 == 0 ? 1 : 0;
    EXPECT_EQ(addresses.size(), 3u);
    EXPECT_GE(aligned, 2u);
    EXPECT_GE(k.static_shared_bytes, 64u * 2 + 5);
    EXPECT_EQ(program.get_kernel("other").static_shared_bytes, 3u);
}

/// Absolute and pc-relative forms, offsets on both sides of the object, loads and stores.
const char* const probe_source = R"(
    .section .bss.shared, "aw", @nobits
    .balign 16
    .type table, @object
    .size table, 32
table: .zero 32
    .text
    .globl probe
    .type probe, @function
probe:
    lui a0, %hi(table + 12)
    addi a0, a0, %lo(table + 12)
    lui a1, %hi(table - 4)
    sw a0, %lo(table - 4)(a1)
1:  auipc a2, %pcrel_hi(table + 8)
    lw a3, %pcrel_lo(1b)(a2)
    sw a3, %pcrel_lo(1b)(a2)
    ret
    .size probe, . - probe
)";

TEST(kernel_view, every_form_of_a_shared_address_is_rebased) {
    const auto cpp = write_source("probe_user.cpp", R"(#include <heddle.h>
extern "C" void probe();
__global__ void large() {
    __shared__ char big[5001];
    asm volatile("" ::"r"(big));
    probe();
}
__global__ void small() { probe(); }
)");
    const auto output = scratch_file("probe.elf");
    compile({cpp, write_source("probe.S", probe_source)}, output);
    const image program = image::load(output);
    const auto check = [&](const char* name, std::uint32_t table) {
        const auto code = instructions_of(program, program.get_kernel(name), "probe");
        const auto sum = [&](std::size_t high, std::size_t low) {
            return static_cast<std::uint32_t>(code[high].imm + code[low].imm);
        };
        const std::uint32_t pc = program.find_symbol("probe")->address + 16;
        EXPECT_EQ(sum(0, 1), table + 12) << name;
        EXPECT_EQ(sum(2, 3), table - 4) << name;
        EXPECT_EQ(pc + sum(4, 5), table + 8) << name;
        EXPECT_EQ(pc + sum(4, 6), table + 8) << name;
        EXPECT_EQ(code[3].op, opcode::sw);
        EXPECT_EQ(code[3].rs1, 11);
        EXPECT_EQ(code[3].rs2, 10);
    };
    check("small", 0x10000000u);
    check("large", 0x10000000u + 5008);  // behind 5001 bytes, 16-byte aligned
}

TEST(kernel_view, a_shared_address_in_data_is_an_error) {
    const auto error = compile_error(
        "#include <heddle.h>\n"
        "__shared__ int object[4];\n"
        "int* pointer = object;\n"
        "__global__ void k(int* out) { out[0] = *pointer; }\n");
    EXPECT_THAT(error, HasSubstr("shared-memory object"));
    EXPECT_THAT(error, HasSubstr("object"));
    EXPECT_THAT(error, HasSubstr(".data"));
}

TEST(kernel_view, indirect_calls_reach_address_taken_functions) {
    const image program = load_text(R"(
__noinline__ __device__ unsigned one(unsigned x) {
    __shared__ unsigned s[8]; s[x & 7] = x; __syncthreads(); return s[0];
}
__noinline__ __device__ unsigned two(unsigned x) {
    __shared__ unsigned t[32]; t[x & 31] = x; __syncthreads(); return t[0];
}
using function = unsigned (*)(unsigned);
__constant__ function table[2] = {one, two};
__global__ void indirect(unsigned* out) { out[0] = table[out[1] & 1](out[2]); out[3] = 1; }
__global__ void direct(unsigned* out) { out[0] = one(out[2]); out[3] = 1; }
)");
    const auto& indirect = program.get_kernel("indirect");
    EXPECT_TRUE(indirect.calls_indirectly);
    EXPECT_EQ(indirect.static_shared_bytes, (8u + 32) * 4);
    EXPECT_FALSE(indirect.stack_bytes.has_value());
    const auto& direct = program.get_kernel("direct");
    EXPECT_FALSE(direct.calls_indirectly);
    EXPECT_EQ(direct.static_shared_bytes, 32u);
    EXPECT_TRUE(direct.stack_bytes.has_value());
}

TEST(kernel_view, stack_of_the_deepest_path) {
    const image program = load_text(R"(
__noinline__ __device__ void fill(volatile int* p, int n) { for (int i = 0; i < n; ++i) p[i] = i; }
__noinline__ __device__ int deep(int n) { volatile int a[100]; fill(a, n); return a[n]; }
__noinline__ __device__ int flat(int n) { volatile int a[10]; fill(a, n); return a[n]; }
__global__ void k(int* out) { out[0] = deep(out[1]) + flat(out[2]); }
__global__ void leaf(int* out) { out[0] = 1; }
)");
    const auto k = program.get_kernel("k").stack_bytes;
    ASSERT_TRUE(k.has_value());
    EXPECT_GE(*k, 400u);
    EXPECT_LE(*k, 400u + 112);
    EXPECT_EQ(*k % 16, 0u);
    EXPECT_EQ(program.get_kernel("leaf").stack_bytes, 0u) << "the entry stub saves nothing";
}

TEST(kernel_view, recursion_has_no_stack_bound) {
    const image program = load_text(R"(
__noinline__ __device__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void k(int* out) { out[0] = fibonacci(out[1]); out[1] = 0; }
)");
    EXPECT_FALSE(program.get_kernel("k").stack_bytes.has_value());
}

TEST(kernel_view, a_frame_of_run_time_size_has_no_stack_bound) {
    const image program = load_text(
        "__noinline__ __device__ void use(volatile int* p) { p[0] = 1; }\n"
        "__global__ void k(int* out, int n) {\n"
        "    int* a = (int*)__builtin_alloca(n); use(a); out[0] = a[0];\n"
        "}\n");
    EXPECT_FALSE(program.get_kernel("k").stack_bytes.has_value());
}

TEST(kernel_view, registers_are_those_of_the_whole_call_graph) {
    const image program = load_text(R"(
__noinline__ __device__ int greedy(int x) { asm volatile("mv s11, %0" ::"r"(x) : "s11"); return x; }
__global__ void thrifty(int* out) { out[0] = 1; }
__global__ void caller(int* out) { out[0] = greedy(out[1]); out[1] = 0; }
)");
    EXPECT_LE(program.get_kernel("thrifty").registers, 16u);
    EXPECT_GE(program.get_kernel("thrifty").registers, 11u);  // a0
    EXPECT_EQ(program.get_kernel("caller").registers, 28u);   // x27
}

TEST(kernel_view, nested_divergence_reconverges_inside_out) {
    const image program = load_text(R"(
__global__ void k(int* p, int a, int b) {
    if (p[threadIdx.x] > a) {
        p[0] = 1; asm volatile("nop");
        if (p[threadIdx.x + 1] > b) { asm volatile("nop"); p[1] = 2; asm volatile("nop"); }
        asm volatile("nop"); p[2] = 3;
    }
    asm volatile("nop"); p[3] = 4;
}
)");
    const auto& k = program.get_kernel("k");
    std::vector<std::pair<std::uint32_t, std::uint32_t>> branches;
    const std::uint32_t start = k.function, end = start + program.find_symbol("k")->size;
    for (std::uint32_t pc = start; pc < end; pc += 4) {
        if (k.code.at(pc).cls == instruction_class::branch) {
            branches.emplace_back(pc, k.code.reconvergence[k.code.index(pc)]);
        }
    }
    ASSERT_EQ(branches.size(), 2u);
    EXPECT_GT(branches[0].second, branches[1].second);  // the outer one meets later
    for (const auto& [pc, target] : branches) {
        EXPECT_GT(target, pc);
        EXPECT_TRUE(k.code.flags[k.code.index(target)] & reconvergence_point);
    }
}

TEST(kernel_view, lines_and_functions_of_a_pc) {
    const image program = load_text(
        "__global__ void k(unsigned* out) {\n"  // line 2
        "    out[1] = 5;\n"                     // line 3
        "    __syncthreads();\n"                // line 4
        "    asm volatile(\"ebreak\");\n"       // line 5
        "}\n");
    const auto& k = program.get_kernel("k");
    const symbol* function = program.find_symbol("k");
    std::uint32_t trap = 0, store = 0;
    for (std::uint32_t pc = k.function; pc < k.function + function->size; pc += 4) {
        if (k.code.at(pc).op == opcode::ebreak) trap = pc;
        if (k.code.at(pc).op == opcode::sw) store = pc;
    }
    const auto at_trap = program.locate(trap);
    EXPECT_EQ(at_trap.line, 5u);
    EXPECT_THAT(at_trap.file, HasSubstr("kernel.cpp"));
    EXPECT_EQ(at_trap.function, "k");
    EXPECT_THAT(at_trap.text(), HasSubstr("kernel.cpp:5 in k"));
    EXPECT_EQ(program.locate(store).line, 3u);
    const auto nowhere = program.locate(0x8);
    EXPECT_EQ(nowhere.line, 0u);
    EXPECT_EQ(nowhere.text(), "");
}

TEST(kernel_view, inlined_code_names_the_lines_that_call_it) {
    const image program = load_text(
        "__device__ inline void inner() { asm volatile(\"ebreak\"); }\n"  // line 2
        "__device__ inline void outer() {\n"                              // line 3
        "    inner();\n"                                                  // line 4
        "}\n"
        "__global__ void k(unsigned* out) {\n"  // line 6
        "    out[1] = 5;\n"                     // line 7
        "    outer();\n"                        // line 8
        "    asm volatile(\"ecall\");\n"        // line 9
        "}\n");
    const auto& k = program.get_kernel("k");
    const symbol* function = program.find_symbol("k");
    std::uint32_t trap = 0, call = 0;
    for (std::uint32_t pc = k.function; pc < k.function + function->size; pc += 4) {
        if (k.code.at(pc).op == opcode::ebreak) trap = pc;
        if (k.code.at(pc).op == opcode::ecall) call = pc;
    }
    const auto at_trap = program.locate(trap);
    EXPECT_EQ(at_trap.line, 2u);
    ASSERT_EQ(at_trap.inlined_at.size(), 2u);
    EXPECT_EQ(at_trap.inlined_at[0].line, 4u);
    EXPECT_EQ(at_trap.inlined_at[1].line, 8u);
    EXPECT_THAT(at_trap.inlined_at[1].file, HasSubstr("kernel.cpp"));
    EXPECT_EQ(at_trap.text(), at_trap.file + ":2, inlined at " + at_trap.file + ":4, inlined at " +
                                  at_trap.file + ":8 in k");
    EXPECT_TRUE(program.locate(call).inlined_at.empty());
    EXPECT_EQ(program.locate(call).line, 9u);
}

TEST(kernel_view, functions_are_demangled) {
    const image program = load_text(
        "namespace deep { __noinline__ __device__ int sea(int x) { return x * x + 3; } }\n"
        "__global__ void k(int* out) { out[0] = deep::sea(out[1]); out[2] = 1; }\n");
    const symbol* sea = program.find_symbol("_ZN4deep3seaEi");
    ASSERT_NE(sea, nullptr);
    EXPECT_EQ(program.locate(sea->address).function, "deep::sea(int)");
}

TEST(kernel_view, the_entry_stub_is_the_kernel) {
    const image program = load_text("__global__ void k(int* p, int x) { p[0] = x; }");
    const auto& k = program.get_kernel("k");
    const auto stub = instructions_of(program, k, "__heddle_entry_k");
    EXPECT_EQ(stub.back().op, opcode::exit);
    const auto loads = std::count_if(stub.begin(), stub.end(),
                                     [](const instruction& i) { return i.op == opcode::lw; });
    EXPECT_EQ(loads, 2);
    EXPECT_TRUE(
        std::none_of(stub.begin(), stub.end(), [](const instruction& i) { return i.is_call(); }));
    EXPECT_EQ(program.locate(k.entry).function, "k");
    EXPECT_FALSE(k.code.contains(0));
    EXPECT_FALSE(k.code.contains(k.entry + 2));
    EXPECT_TRUE(k.code.contains(k.entry));
}

}  // namespace
}  // namespace heddle::program::test
