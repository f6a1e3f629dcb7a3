// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <cstring>

#include "models/base/error.h"
#include "models/device/launch_limits.h"
#include "models/program/address_map.h"
#include "models/program/kernel.h"

namespace heddle {
namespace {

using program::kernel_parameter;
using testing::HasSubstr;

program::kernel sample_kernel() {
    program::kernel k;
    k.name = "k";
    k.parameters = {{"n", "unsigned int", kernel_parameter::kind::integer, 0, 4, false, {}, {}},
                    {"x", "double", kernel_parameter::kind::floating, 8, 8, false, {}, {}},
                    {"p", "const float *", kernel_parameter::kind::pointer, 16, 4, false, {}, {}},
                    {"l", "int *", kernel_parameter::kind::local_pointer, 20, 4, false, {}, {}}};
    k.parameter_bytes = 24;
    k.registers = 20;
    k.static_shared_bytes = 100;
    k.stack_bytes = 64;
    return k;
}

template <class... Arguments>
std::vector<std::byte> pack(launch_shape& shape, const Arguments&... arguments) {
    const launch_argument list[] = {make_argument(arguments)...};
    return pack_arguments(sample_kernel(), shape, list, sizeof...(Arguments));
}

template <class Action>
std::string message_of(Action&& action) {
    try {
        action();
    } catch (const run_error& error) {
        return error.what();
    }
    return "no error";
}

TEST(pack_arguments, lays_values_out_by_offset) {
    launch_shape shape;
    shape.dynamic_shared_bytes = 20;
    const auto bytes = pack(shape, 7u, 2.5, device_ptr<float>{0x40000100}, local_argument{64});
    ASSERT_EQ(bytes.size(), 24u);
    std::uint32_t n = 0;
    double x = 0;
    std::uint32_t pointers[2] = {};
    std::memcpy(&n, bytes.data(), 4);
    std::memcpy(&x, bytes.data() + 8, 8);
    std::memcpy(pointers, bytes.data() + 16, 8);
    EXPECT_EQ(n, 7u);
    EXPECT_EQ(x, 2.5);
    EXPECT_EQ(pointers[0], 0x40000100u);
    // 100 static bytes and 20 dynamic ones, each rounded up to 16, lie before the local memory.
    EXPECT_EQ(pointers[1], program::shared_window.base + 112 + 32);
    EXPECT_EQ(shape.dynamic_shared_bytes, 32u + 64u);
}

TEST(pack_arguments, rejects_wrong_arguments) {
    launch_shape shape;
    const device_ptr<float> pointer{};
    const local_argument local{4};
    EXPECT_EQ(message_of([&] { pack(shape, 7u, 2.5, pointer); }),
              "launch of kernel 'k': 3 arguments, but it has 4 parameters");
    EXPECT_EQ(message_of([&] { pack(shape, 7.0f, 2.5, pointer, local); }),
              "launch of kernel 'k': argument 0 is a floating-point number of 4 bytes, but "
              "parameter 'n' (unsigned int) takes a integer of 4 bytes");
    EXPECT_THAT(message_of([&] { pack(shape, 7u, 2.5f, pointer, local); }),
                HasSubstr("argument 1 is a floating-point number of 4 bytes"));
    EXPECT_THAT(message_of([&] { pack(shape, 7u, 2.5, 3u, local); }),
                HasSubstr("takes a device pointer of 4 bytes"));
    EXPECT_THAT(message_of([&] { pack(shape, 7u, 2.5, pointer, pointer); }),
                HasSubstr("takes a size of local memory"));
    EXPECT_THAT(message_of([&] { pack(shape, std::uint64_t{7}, 2.5, pointer, local); }),
                HasSubstr("argument 0 is a integer of 8 bytes"));
}

TEST(check_launch, charges_whole_warps_and_register_granules) {
    machine_configuration machine;
    launch_shape shape{{10}, {33}};
    shape.dynamic_shared_bytes = 50;
    const block_resources need = check_launch(sample_kernel(), shape, machine);
    EXPECT_EQ(need.threads, 64u);
    EXPECT_EQ(need.registers, 64u * 24u);
    EXPECT_EQ(need.shared_bytes, 112u + 50u);
    shape.dynamic_shared_bytes = 0;
    EXPECT_EQ(check_launch(sample_kernel(), shape, machine).shared_bytes, 100u);
}

TEST(check_launch, limits) {
    machine_configuration machine;
    const auto message = [&](const launch_shape& shape,
                             const program::kernel& kernel = sample_kernel()) {
        return message_of([&] { static_cast<void>(check_launch(kernel, shape, machine)); });
    };
    EXPECT_THAT(message({{0}, {32}}), HasSubstr("must have extents of at least 1"));
    EXPECT_THAT(message({{1}, {32, 0}}), HasSubstr("must have extents of at least 1"));
    EXPECT_EQ(message({{1}, {1024}}), "no error");
    EXPECT_THAT(message({{1}, {1025}}), HasSubstr("1025 threads per block; the limit is 1024"));
    EXPECT_THAT(message({{1}, {0xffffffff, 0xffffffff, 0xffffffff}}), HasSubstr("limit is 1024"));
    EXPECT_THAT(message({{0xffffffff, 0xffffffff, 0xffffffff}, {1}}), HasSubstr("blocks"));
    EXPECT_EQ(message({{0x7fffffff}, {1}}), "no error");
    EXPECT_THAT(message({{0x8000, 0x8000, 2}, {1}}), HasSubstr("more than 2147483647 blocks"));
    launch_shape shared{{1}, {32}};
    shared.dynamic_shared_bytes = machine.smx.shared_bytes - 112;
    EXPECT_EQ(message(shared), "no error");
    ++shared.dynamic_shared_bytes;
    EXPECT_THAT(message(shared), HasSubstr("the limit is 49152 (smx.shared_bytes)"));
    program::kernel greedy = sample_kernel();
    greedy.registers = 65;
    EXPECT_THAT(message({{1}, {1024}}, greedy), HasSubstr("(smx.registers)"));
    greedy = sample_kernel();
    greedy.stack_bytes = machine.smx.private_bytes + 16;
    EXPECT_THAT(message({{1}, {32}}, greedy), HasSubstr("(smx.private_bytes)"));
    greedy.stack_bytes.reset();  // unknown: judged when it happens
    EXPECT_EQ(message({{1}, {32}}, greedy), "no error");
}

TEST(check_launch, a_kernel_may_demand_one_block) {
    machine_configuration machine;
    program::kernel kernel = sample_kernel();
    kernel.required_block = dim3{8, 4, 1};
    const auto message = [&](const dim3& block) {
        return message_of([&] { static_cast<void>(check_launch(kernel, {{1}, block}, machine)); });
    };
    EXPECT_EQ(message({8, 4, 1}), "no error");
    EXPECT_EQ(message({32}),
              "launch of kernel 'k': block (32,1,1); its source allows (8,4,1) only "
              "(reqd_work_group_size)");
    EXPECT_THAT(message({4, 8, 1}), HasSubstr("block (4,8,1);"));
}

TEST(check_launch, a_kernel_that_launches_needs_a_machine_with_launches) {
    machine_configuration machine;
    program::kernel kernel = sample_kernel();
    kernel.launch_pc = 0x10040;
    const auto message = [&] {
        return message_of([&] { static_cast<void>(check_launch(kernel, {{1}, {32}}, machine)); });
    };
    machine.launch.enabled = true;
    EXPECT_EQ(message(), "no error");
    machine.launch.enabled = false;
    EXPECT_EQ(message(),
              "launch of kernel 'k': it launches kernels (at PC 0x00010040), and this "
              "machine has no launches by kernels (launch.enabled)");
}

/// A machine with transactional memory, whose detection takes vector registers.
machine_configuration transactional_machine(std::uint32_t vector_registers = 0) {
    machine_configuration machine;
    machine.warp_size = 64;
    machine.smx.shared_bytes = 65536;
    machine.tm.enabled = true;
    machine.tm.detection.vector_registers = vector_registers;
    return machine;
}
program::kernel transactional_kernel(std::uint32_t shared_bytes) {
    program::kernel k = sample_kernel();
    k.static_shared_bytes = shared_bytes;
    k.transaction_pc = 0x10040;
    return k;
}

TEST(check_launch, transactions_are_charged_shadow_memory_and_registers) {
    const launch_shape shape{{1}, {256}};
    const auto need = [&](std::uint32_t registers) {
        return check_launch(transactional_kernel(29124), shape, transactional_machine(registers));
    };
    const std::uint32_t own = 24 * 256;
    EXPECT_EQ(need(456).registers, own + 456);
    EXPECT_EQ(need(0).registers, own);
    EXPECT_EQ(need(0).shared_bytes, 29124u);
    EXPECT_EQ(need(0).shadow_bytes, 36405u);
    EXPECT_EQ(need(0).charged_bytes(), 65529u);

    // Occupancy falls: the second block of this kernel does not fit, without transactions it does.
    const machine_configuration machine = transactional_machine();
    smx_capacity capacity(machine.smx);
    capacity.take(need(0));
    EXPECT_FALSE(capacity.fits(need(0)));
    capacity.give_back(need(0));
    EXPECT_EQ(capacity.free().shared_bytes, 65536u);
    program::kernel plain = transactional_kernel(29124);
    plain.transaction_pc.reset();
    capacity.take(check_launch(plain, shape, machine));
    EXPECT_TRUE(capacity.fits(check_launch(plain, shape, machine)));
    EXPECT_EQ(check_launch(plain, shape, machine).shadow_bytes, 0u);
}

TEST(check_launch, transactions_that_no_block_can_have) {
    machine_configuration machine = transactional_machine();
    const auto message = [&](const program::kernel& kernel, std::uint32_t threads) {
        const launch_shape shape{{1}, {threads}};
        return message_of([&] { static_cast<void>(check_launch(kernel, shape, machine)); });
    };
    EXPECT_EQ(message(transactional_kernel(29124), 256), "no error");
    EXPECT_EQ(
        message(transactional_kernel(29128), 256),
        "launch of kernel 'k': 29128 bytes of shared memory and 36410 of shadow memory for its "
        "transactions per block are 2 B too large; the limit of both is 65536 "
        "(smx.shared_bytes), which 29124 bytes of shared memory keep");
    EXPECT_EQ(message(transactional_kernel(0), 257),
              "launch of kernel 'k': 257 threads per block; the limit is 256 (of a kernel with "
              "transactions)");
    machine.tm.enabled = false;
    EXPECT_EQ(message(transactional_kernel(0), 32),
              "launch of kernel 'k': it has transactions (at PC 0x00010040), and this machine has "
              "no transactional memory (tm.enabled)");
}

TEST(smx_capacity, each_resource_limits) {
    smx_limits limits;
    limits.max_blocks = 3;
    limits.max_threads = 256;
    limits.registers = 4096;
    limits.shared_bytes = 1000;
    const auto blocks_that_fit = [&](const block_resources& need) {
        smx_capacity capacity(limits);
        unsigned count = 0;
        while (capacity.fits(need)) {
            capacity.take(need);
            ++count;
        }
        if (count != 0) {
            capacity.give_back(need);
            EXPECT_TRUE(capacity.fits(need));
        }
        return count;
    };
    EXPECT_EQ(blocks_that_fit({32, 32, 0}), 3u);
    EXPECT_EQ(blocks_that_fit({128, 32, 0}), 2u);
    EXPECT_EQ(blocks_that_fit({32, 4096, 0}), 1u);
    EXPECT_EQ(blocks_that_fit({32, 32, 500}), 2u);
    EXPECT_EQ(blocks_that_fit({32, 32, 1001}), 0u);
}

}  // namespace
}  // namespace heddle
