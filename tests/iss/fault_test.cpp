// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fstream>

#include "tb/kit/paths.h"
#include "tests/iss/fixture.h"

namespace heddle::iss {
namespace {

using testing::HasSubstr;

/// "fault_kernel.cpp:N" of the line that carries the mark.
std::string marked_line(const std::string& mark) {
    std::ifstream source(source_path("tests/iss/kernels/fault_kernel.cpp"));
    std::string line;
    for (unsigned number = 1; std::getline(source, line); ++number) {
        if (line.size() >= mark.size() &&
            line.compare(line.size() - mark.size(), mark.size(), mark) == 0) {
            return "fault_kernel.cpp:" + std::to_string(number) + " ";
        }
    }
    ADD_FAILURE() << "no line is marked " << mark;
    return "";
}

class iss_fault : public testing::Test {
protected:
    /// Launches and returns the message; checks the kind and the source line.
    template <class... Arguments>
    std::string fault(const std::string& kernel, const launch_shape& shape,
                      const Arguments&... arguments) {
        const run_error error = error_of([&] {
            launch(*gpu, kernel, shape, arguments...);
            gpu->synchronize();
        });
        EXPECT_EQ(error.kind(), error_kind::kernel_fault);
        EXPECT_THAT(error.what(), HasSubstr("kernel '" + kernel + "'"));
        EXPECT_THAT(error.what(), HasSubstr(marked_line("mark: " + kernel)));
        return error.what();
    }

    std::unique_ptr<functional_simulator> gpu = make_simulator("iss_fault");
};

TEST_F(iss_fault, read_past_the_end_names_everything) {
    const device_buffer<std::uint32_t> in(*gpu, 1000, "values");
    const device_buffer<std::uint32_t> out(*gpu, 2000, "out");
    const std::string message = fault("read_past_the_end", {{20}, {64}}, in.get(), out.get());
    EXPECT_THAT(message, HasSubstr("illegal read of 4 bytes at 0x"));
    EXPECT_THAT(message, HasSubstr("0 bytes past 'values' [0x"));
    EXPECT_THAT(message, HasSubstr("block (15,0,0), thread (40,0,0), PC 0x"));
}

TEST_F(iss_fault, write_past_the_end) {
    const device_buffer<std::uint32_t> out(*gpu, 33, "out");
    const std::string message = fault("write_past_the_end", {{1}, {34}}, out.get());
    EXPECT_THAT(message, HasSubstr("illegal write of 4 bytes"));
    EXPECT_THAT(message, HasSubstr("thread (33,0,0)"));
}

TEST_F(iss_fault, released_memory) {
    device_ptr<std::uint32_t> stale;
    {
        const device_buffer<std::uint32_t> gone(*gpu, 64, "gone");
        stale = gone.get();
    }
    EXPECT_THAT(fault("write_past_the_end", {{1}, {1}}, stale), HasSubstr("out of bounds"));
}

TEST_F(iss_fault, null_pointer) {
    EXPECT_THAT(fault("null_pointer", {{1}, {32}}, device_ptr<std::uint32_t>{}),
                HasSubstr("at 0x00000000: null pointer"));
}

TEST_F(iss_fault, misaligned) {
    const device_buffer<std::uint8_t> out(*gpu, 100, "out");
    const std::string message = fault("misaligned", {{1}, {32}}, out.get());
    EXPECT_THAT(message, HasSubstr("misaligned write of 2 bytes"));
    EXPECT_THAT(message, HasSubstr("thread (1,0,0)"));
}

TEST_F(iss_fault, write_read_only) {
    EXPECT_THAT(fault("write_read_only", {{1}, {1}}, 0u), HasSubstr("is read-only"));
}

TEST_F(iss_fault, shared_overrun) {
    const device_buffer<std::uint32_t> out(*gpu, 1, "out");
    const std::string message = fault("shared_overrun", {{1}, {4}}, out.get(), 5u);
    EXPECT_THAT(message, HasSubstr("the block has 32 bytes of shared memory"));
    EXPECT_THAT(message, HasSubstr("thread (3,0,0)"));
}

TEST_F(iss_fault, stack_overflow) {
    const device_buffer<std::uint32_t> out(*gpu, 1, "out");
    const run_error error = error_of([&] {
        launch(*gpu, "stack_overflow", {{1}, {1}}, out.get());
        gpu->synchronize();
    });
    EXPECT_EQ(error.kind(), error_kind::kernel_fault);
    EXPECT_THAT(error.what(), HasSubstr("stack overflow: a thread has 8192 bytes"));
    EXPECT_THAT(error.what(), HasSubstr("fault_kernel.cpp:"));
}

TEST_F(iss_fault, trap) {
    const device_buffer<std::uint32_t> out(*gpu, 32, "out");
    const std::string message = fault("trap", {{1}, {32}}, out.get());
    EXPECT_THAT(message, HasSubstr("trap"));
    EXPECT_THAT(message, HasSubstr("thread (7,0,0)"));
}

TEST_F(iss_fault, builtin_trap) {
    const device_buffer<std::uint32_t> out(*gpu, 32, "out");
    const std::string message = fault("builtin_trap", {{1}, {32}}, out.get());
    EXPECT_THAT(message, HasSubstr("trap: the program executed unimp (__builtin_trap)"));
    EXPECT_THAT(message, HasSubstr("thread (7,0,0)"));
}

TEST_F(iss_fault, instructions_that_do_not_exist) {
    EXPECT_THAT(fault("environment_call", {{1}, {1}}), HasSubstr("ecall"));
    EXPECT_THAT(fault("illegal_instruction", {{1}, {1}}),
                HasSubstr("illegal instruction 0xffffffff"));
    EXPECT_THAT(fault("unknown_register", {{1}, {1}}), HasSubstr("no such register"));
    EXPECT_THAT(fault("cooperation", {{1}, {1}}),
                HasSubstr("'coop.offer_kill': the launch is not a cooperative one"));
}

TEST_F(iss_fault, jump_into_data) {
    EXPECT_THAT(fault("jump_into_data", {{1}, {1}}, 0x40000000u),
                HasSubstr("jump to 0x40000000, which is no instruction"));
    EXPECT_THAT(fault("jump_into_data", {{1}, {1}}, 0u), HasSubstr("jump to 0x00000000"));
}

TEST_F(iss_fault, parameters_are_read_only) {
    const device_buffer<std::uint32_t> out(*gpu, 1, "out");
    EXPECT_THAT(fault("write_parameters", {{1}, {1}}), HasSubstr("0xc0000000"));
}

TEST_F(iss_fault, atomic_past_the_end) {
    const device_buffer<std::uint32_t> out(*gpu, 3, "out");
    EXPECT_THAT(fault("atomic_past_the_end", {{1}, {4}}, out.get()),
                HasSubstr("illegal atomic of 4 bytes"));
}

TEST_F(iss_fault, every_window_has_its_limits) {
    EXPECT_THAT(fault("write_code", {{1}, {1}}),
                HasSubstr("illegal write of 4 bytes at 0x00010000: 'program code' is read-only"));
    EXPECT_THAT(fault("private_overrun", {{1}, {1}}),
                HasSubstr("0x20100000: out of bounds: a thread has 8192 bytes of private memory"));
    EXPECT_THAT(fault("no_window", {{1}, {1}}), HasSubstr("0x30000000: out of bounds: "));
    EXPECT_THAT(fault("write_parameters", {{1}, {1}}),
                HasSubstr("0xc0000000: out of bounds: the memory from 0xc0000000 on is the "));
    const device_buffer<std::uint8_t> out(*gpu, 100, "out");
    const std::string message = fault("misaligned_atomic", {{1}, {2}}, out.get());
    EXPECT_THAT(message, HasSubstr("must be a multiple of 4; it is 1 byte into 'out' [0x"));
    EXPECT_THAT(message, HasSubstr("thread (1,0,0)"));
}

TEST_F(iss_fault, the_device_works_on_after_a_fault) {
    const device_buffer<std::uint32_t> out(*gpu, 33, "out");
    fault("write_past_the_end", {{1}, {34}}, out.get());
    EXPECT_EQ(out.read()[5], 5u);  // what was written stays to be looked at
    launch(*gpu, "write_past_the_end", {{1}, {33}}, out.get());
    EXPECT_EQ(out.read()[32], 32u);
}

}  // namespace
}  // namespace heddle::iss
