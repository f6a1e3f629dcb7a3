// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;
using testing::HasSubstr;

/// Opcodes of the kernel named k.
std::multiset<opcode> opcodes_of(const std::string& text) {
    const image program = load_text(text);
    std::multiset<opcode> out;
    for (const auto& i : instructions_of(program, program.get_kernel("k"), "k")) {
        EXPECT_FALSE(i.is_illegal()) << std::hex << i.raw;
        out.insert(i.op);
    }
    return out;
}

TEST(device_header, atomics_are_single_operations) {
    const auto code = opcodes_of(R"(
__global__ void k(int* i, unsigned* u, float* f) {
    i[8] = atomicAdd(i, 3) + atomicSub(i, 2) + atomicExch(i, 1) + atomicMin(i, 4) + atomicMax(i, 5)
         + atomicAnd(i, 6) + atomicOr(i, 7) + atomicXor(i, 8) + atomicCAS(i, 9, 10);
    u[8] = atomicMin(u, 4u) + atomicMax(u, 5u) + atomicCAS(u, 1u, 2u);
    f[8] = atomicAdd(f, 1.5f) + atomicMin(f, 2.5f) + atomicMax(f, 3.5f) + atomicExch(f, 0.0f);
}
)");
    const std::map<opcode, std::size_t> expected{
        {opcode::amoadd_w, 2},  {opcode::amoswap_w, 2}, {opcode::amomin_w, 1},
        {opcode::amomax_w, 1},  {opcode::amoand_w, 1},  {opcode::amoor_w, 1},
        {opcode::amoxor_w, 1},  {opcode::amocas_w, 2},  {opcode::amominu_w, 1},
        {opcode::amomaxu_w, 1}, {opcode::amofadd_w, 1}, {opcode::amofmin_w, 1},
        {opcode::amofmax_w, 1}, {opcode::lr_w, 0},      {opcode::sc_w, 0}};
    for (const auto& [op, count] : expected) {
        EXPECT_EQ(code.count(op), count) << isa::mnemonic(op);
    }
}

TEST(device_header, compare_and_swap_names_its_operands) {
    const image program = load_text(
        "__global__ void k(unsigned* p, unsigned a, unsigned b) { p[1] = atomicCAS(p, a, b); }");
    for (const auto& i : instructions_of(program, program.get_kernel("k"), "k")) {
        if (i.op != opcode::amocas_w) continue;
        EXPECT_EQ(i.rs1, 10);  // p
        EXPECT_EQ(i.rs2, 12);  // the new value
        EXPECT_EQ(i.rs3, i.rd);
    }
}

TEST(device_header, special_functions_votes_and_shuffles) {
    const auto code = opcodes_of(R"(
__global__ void k(float* f, int* i) {
    f[0] = __expf(f[1]) + __logf(f[2]) + __sinf(f[3]) + __cosf(f[4]) + rsqrtf(f[5])
         + __fdividef(f[6], f[7]) + sqrtf(f[8]) + fminf(f[9], f[10]) + fmaf(f[0], f[1], f[2]);
    i[0] = __any_sync(~0u, i[1]) + __all_sync(~0u, i[2]) + __ballot_sync(~0u, i[3])
         + heddle::ballot_high(i[4]);
    i[5] = __shfl_sync(~0u, i[6], 3) + __shfl_up_sync(~0u, i[7], 1, 16);
    f[5] = __shfl_down_sync(~0u, f[6], 2) + __shfl_xor_sync(~0u, f[7], 4);
    i[9] = __ldcg(i + 10) + __ldcv(i + 11) + __ldcg((unsigned char*)i) + __ldcv((short*)i);
    i[11] = __ldg(i + 13) + __ldg((const short*)i);
    __threadfence(); __syncthreads(); i[12] = clock();
}
)");
    for (const opcode op :
         {opcode::ex2_s,    opcode::lg2_s,    opcode::sin_s,     opcode::cos_s,
          opcode::rsq_s,    opcode::rcp_s,    opcode::fsqrt_s,   opcode::fmin_s,
          opcode::vote_any, opcode::vote_all, opcode::ballot,    opcode::ballot_high,
          opcode::shfl_idx, opcode::shfl_up,  opcode::shfl_down, opcode::shfl_xor,
          opcode::ldcg_w,   opcode::ldcv_w,   opcode::ldcg_bu,   opcode::ldcv_hu,
          opcode::ldg_w,    opcode::ldg_hu,   opcode::fence,     opcode::barrier}) {
        EXPECT_EQ(code.count(op), 1u) << isa::mnemonic(op);
    }
}

TEST(device_header, shuffle_widths_are_encoded) {
    const image program =
        load_text("__global__ void k(int* p) { p[0] = __shfl_sync(~0u, p[1], 3, 8); }");
    unsigned seen = 0;
    for (const auto& i : instructions_of(program, program.get_kernel("k"), "k")) {
        if (i.op != opcode::shfl_idx) continue;
        EXPECT_EQ(i.imm, 3);
        ++seen;
    }
    EXPECT_EQ(seen, 1u);
}

TEST(device_header, launches_transactions_and_cooperation_have_their_instructions) {
    const auto code = opcodes_of(R"(
__global__ void child(float x, int* p) { p[0] = x; }
struct state { int value; };
__device__ __noinline__ void start(state s, int* p) { p[4] = s.value; }
__global__ void k(int* p) {
    const heddle::stream s = heddle::create_stream();
    p[0] = heddle::launch(child, {dim3(2), dim3(32)}, s, 1.0f, p);
    p[1] = heddle::launch_group(child, {dim3(2), dim3(32)}, 1.0f, p);
    heddle::device_synchronize();
    heddle::tx_begin(); heddle::tx_commit();
    heddle::offer_kill(); heddle::request_fork<start>(state{p[5]}); p[2] = heddle::get_num_groups();
    heddle::global_barrier(); heddle::resizing_global_barrier<start>(state{p[3]});
}
)");
    for (const opcode op : {opcode::create_stream, opcode::launch_kernel, opcode::launch_group,
                            opcode::device_synchronize, opcode::tx_begin, opcode::tx_commit,
                            opcode::offer_kill, opcode::request_fork, opcode::get_num_groups,
                            opcode::global_barrier, opcode::resizing_global_barrier}) {
        EXPECT_EQ(code.count(op), 1u) << isa::mnemonic(op);
    }
    EXPECT_EQ(code.count(opcode::get_parameter_buffer), 2u);
}

/// Loads (l), stores (s) of a function, and where its transactions begin and end: "l(ls)s".
std::string access_order(const std::string& text) {
    const image program = load_text(text);
    std::string order;
    for (const auto& i : instructions_of(program, program.get_kernel("k"), "k")) {
        if (i.op == opcode::tx_begin) order += '(';
        if (i.op == opcode::tx_commit) order += ')';
        if (i.cls == instruction_class::load) order += 'l';
        if (i.cls == instruction_class::store) order += 's';
    }
    return order;
}

TEST(device_header, transactions_are_barriers_to_the_compiler) {
    const std::string shared = "__shared__ unsigned word, other;\n";
    // What a register holds is loaded again, and every store is made before the next boundary.
    EXPECT_EQ(access_order(shared + R"(__global__ void k() {
        ++word;
        heddle::tx_begin(); ++word; heddle::tx_commit();
        ++word;
    })"),
              "ls(ls)ls");
    // Nothing moves into a transaction, or out of one.
    EXPECT_EQ(access_order(shared + R"(__global__ void k() {
        word = 1;
        heddle::tx_begin(); other = 2; heddle::tx_commit();
        word = 3;
    })"),
              "s(s)s");
    // A loop keeps both boundaries, and no sum in a register.
    EXPECT_EQ(access_order(shared + R"(__global__ void k() {
        for (unsigned i = 0; i < 1000; ++i) { heddle::tx_begin(); word += i; heddle::tx_commit(); }
    })"),
              "(ls)");
    // Dynamic shared memory, through a pointer.
    EXPECT_EQ(access_order(R"(__global__ void k() {
        unsigned* const words = heddle::dynamic_shared<unsigned>();
        ++words[3];
        heddle::tx_begin(); ++words[3]; heddle::tx_commit();
        ++words[3];
    })"),
              "ls(ls)ls");
}

TEST(device_header, a_wrong_launch_does_not_compile) {
    const std::string head =
        "#include <heddle.h>\n"
        "__global__ void child(unsigned n, float* p) { p[0] = n; }\n";
    const auto launch = [&](const std::string& arguments) {
        return compile_error(head +
                             "__global__ void k(float* p, double d) { heddle::launch(child, "
                             "{dim3(1), dim3(32)}, 0" +
                             arguments + "); (void)d; }");
    };
    EXPECT_EQ(launch(", 4u, p"), "");
    EXPECT_THAT(launch(", 4u"), HasSubstr("the number of arguments is not the kernel's"));
    EXPECT_THAT(launch(", 4u, p, p"), HasSubstr("the number of arguments is not the kernel's"));
    EXPECT_THAT(launch(", p, p"), HasSubstr("an argument's type does not fit"));
    EXPECT_THAT(launch(", d, p"), HasSubstr("an argument's type does not fit"));
    EXPECT_THAT(launch(", 4u, 5u"), HasSubstr("an argument's type does not fit"));
}

TEST(device_header, a_wrong_state_of_new_blocks_does_not_compile) {
    const auto fork = [](const std::string& state, const std::string& of) {
        return compile_error(
            "#include <heddle.h>\n" + state +
            "__device__ void start(state s, unsigned n, float* p) { p[n] = 1; }\n"
            "__global__ void k(unsigned n, float* p) { heddle::request_fork<start>(" +
            of + "); }");
    };
    EXPECT_EQ(fork("struct state { int a[7]; };", "state{{1, 2, 3, 4, 5, 6, 7}}"), "");
    EXPECT_EQ(fork("struct state { char a; };", "state{1}"), "");
    EXPECT_THAT(fork("struct state { int a[7]; char b; };", "state{}"),
                HasSubstr("at most 28 bytes"));
    EXPECT_THAT(fork("struct state { state(); state(const state&); };", "state{}"),
                HasSubstr("plain struct"));
    EXPECT_NE(fork("struct state { int a; };", "3.5f"), "");
}

/// The lock loop as the code view shows it: the branch that leaves when the compare-and-swap failed
/// meets the holder's path at the join, inside the loop; so no lane spins while another holds.
void expect_careful_lock(const image& program, const std::string& name) {
    const auto& k = program.get_kernel(name);
    const symbol* function = program.find_symbol(name);
    std::uint32_t swap = 0, join = 0, release = 0;
    unsigned joins = 0;
    for (std::uint32_t pc = k.function; pc < k.function + function->size; pc += 4) {
        const auto& i = k.code.at(pc);
        if (i.op == opcode::amocas_w) swap = pc;
        if (i.op == opcode::amoswap_w) release = pc;
        if (i.op == opcode::warp_join) {
            join = pc;
            ++joins;
        }
    }
    ASSERT_EQ(joins, 1u) << "the compiler must not copy the join";
    ASSERT_NE(swap, 0u);
    ASSERT_NE(release, 0u);
    // The first branch behind the swap decides who holds the lock.
    std::uint32_t decision = swap + 4;
    while (k.code.at(decision).cls != instruction_class::branch) decision += 4;
    const std::uint32_t meeting = k.code.reconvergence[k.code.index(decision)];
    ASSERT_TRUE(k.code.contains(meeting)) << std::hex << meeting;
    // From the meeting point straight to the join, without going round.
    std::uint32_t pc = meeting;
    while (pc != join && !k.code.at(pc).is_control_flow()) pc += 4;
    EXPECT_EQ(pc, join) << "the paths meet at " << std::hex << meeting << ", not at the join";
}

TEST(device_header, warp_lock_joins_inside_its_loop) {
    expect_careful_lock(load_text(R"(
__global__ void k(unsigned n, unsigned* lock, int* p) {
    if (threadIdx.x < n) heddle::warp_lock(lock, [&] { *p += 3; });
}
)"),
                        "k");
}

TEST(device_header, warp_lock_survives_a_body_with_branches_and_an_outer_loop) {
    expect_careful_lock(load_text(R"(
__global__ void k(unsigned n, unsigned* locks, int* table) {
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        const unsigned bucket = table[i] & 15;
        heddle::warp_lock(&locks[bucket], [&] {
            if (table[bucket] > 5) table[bucket + 16] += table[i]; else table[bucket]++;
        });
    }
}
)"),
                        "k");
}

TEST(device_header, a_spinning_lock_is_told_apart) {
    // The form that hangs: the test above must be able to fail.
    const image program = load_text(R"(
__global__ void k(unsigned* lock, int* p) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {}
    *p += 3;
    atomicExch(lock, 0u);
}
)");
    const auto& k = program.get_kernel("k");
    for (const auto& i : instructions_of(program, k, "k")) EXPECT_NE(i.op, opcode::warp_join);
    std::uint32_t swap = k.function;
    while (k.code.at(swap).op != opcode::amocas_w) swap += 4;
    std::uint32_t decision = swap;
    while (k.code.at(decision).cls != instruction_class::branch) decision += 4;
    // The waiting lanes' branch meets only behind the loop.
    EXPECT_EQ(k.code.reconvergence[k.code.index(decision)], decision + 4);
}

TEST(device_header, barriers_are_not_copied_into_divergent_arms) {
    const image program = load_text(R"(
__global__ void k(int* p, int a) {
    const bool c = p[threadIdx.x] > a;
    if (c) p[1] = 1;
    __syncthreads();  // without -fconvergent-functions both arms of the next branch get one
    if (c) p[2] = 1; else p[3] = 5;
}
__noinline__ __device__ void wait() { __syncthreads(); }
__global__ void calls(int* p, int a) {
    const bool c = p[threadIdx.x] > a;
    if (c) p[1] = 1;
    wait();
    if (c) p[2] = 1; else p[3] = 5;
}
)");
    unsigned barriers = 0, calls = 0;
    for (const char* name : {"k", "calls"}) {
        for (const auto& i : instructions_of(program, program.get_kernel(name), name)) {
            barriers += i.op == opcode::barrier ? 1 : 0;
            calls += i.is_call() ? 1 : 0;
        }
    }
    EXPECT_EQ(barriers, 1u);
    EXPECT_EQ(calls, 1u);
}

TEST(device_header, selects_do_not_branch) {
    const image program =
        load_text("__global__ void k(int* p, int a, int b) { p[0] = p[1] > a ? b : a * 3; }");
    for (const auto& i : instructions_of(program, program.get_kernel("k"), "k")) {
        EXPECT_NE(i.cls, instruction_class::branch);
    }
}

}  // namespace
}  // namespace heddle::program::test
