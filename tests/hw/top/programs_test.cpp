// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Several programs on a device, timed and functional: who runs, who is counted, who is refused.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "models/device/basic_device.h"
#include "models/device/program_table.h"
#include "models/iss/simulator.h"
#include "models/program/address_map.h"
#include "models/program/compile.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr program::program_place second_place{0x00020000, 0x80000000};
constexpr program::program_place third_place{0x00030000, 0x80010000};

/// A program with kernel `put` (out[i] = value + added, where `added` is a variable), kernel `NAME`
/// (the same twice), and a variable that is not initialized.
std::shared_ptr<const program::image> program_of(const std::string& name, unsigned value,
                                                 const program::program_place& place = {}) {
    const temporary_directory folder;
    const std::string source = folder / (name + ".cpp");
    std::ofstream(source) << R"(#include <heddle.h>
__device__ unsigned added = 1000;
__device__ unsigned calls;
__constant__ unsigned value_of_program = )"
                          << value << R"(;
__global__ void put(unsigned* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = value_of_program + added;
    if (threadIdx.x == 0) atomicAdd(&calls, 1u);
}
__global__ void )" << name << R"((unsigned* out) {
    out[threadIdx.x] = 2 * (value_of_program + added) + calls;
}
)";
    program::compile_options options;
    options.place = place;
    return std::make_shared<program::image>(
        *program::compile({source}, folder / (name + ".elf"), options).program);
}

using words = std::vector<std::uint32_t>;

launch_number launch_one(device& gpu, program_id of, const char* kernel, launch_shape shape,
                         const device_buffer<std::uint32_t>& out) {
    const device_ptr<std::uint32_t> to = out.get();
    const launch_argument argument = make_argument(to);
    const program::kernel& which = find_kernel(gpu, of, kernel);
    const std::vector<std::byte> packed = pack_arguments(which, shape, &argument, 1);
    return gpu.launch(which, shape, packed);
}

const launch_shape one_block{{1, 1, 1}, {64, 1, 1}};
const launch_shape many_blocks{{256, 1, 1}, {64, 1, 1}};

/// What the kernel of that program leaves in 64 words.
words result_of(device& gpu, program_id of, const char* kernel) {
    const device_buffer<std::uint32_t> out(gpu, 64, "out");
    (void)launch_one(gpu, of, kernel, one_block, out);
    return out.read();
}

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "nothing";
}

/// The same host program on both devices.
class programs : public testing::TestWithParam<bool> {
protected:
    void run(const std::function<void(device&)>& host) {
        if (GetParam()) {
            timed_.emplace(configuration_of("tiny"));
            timed_->run_well(host);
        } else {
            functional_.emplace(configuration_of("tiny").machine);
            host(*functional_);
        }
    }
    /// Launches of a kernel, by the statistics; 0 if there is no such kernel.
    [[nodiscard]] std::uint64_t launches_of(const std::string& label) const {
        if (timed_) return timed_->count("kernel." + label + ".launches");
        const auto found = functional_->kernels().find(label);
        return found == functional_->kernels().end() ? 0 : found->second.launches;
    }

    std::optional<timed_machine> timed_;
    std::optional<iss::functional_simulator> functional_;
};

TEST_P(programs, take_turns_with_variables_of_their_own) {
    run([](device& gpu) {
        const program_id a = gpu.load(program_of("one", 1));
        EXPECT_EQ(result_of(gpu, a, "put"), words(64, 1001));
        const program_id b = gpu.load(program_of("two", 2, second_place));
        EXPECT_EQ(result_of(gpu, b, "put"), words(64, 1002));
        EXPECT_EQ(result_of(gpu, a, "put"), words(64, 1001));
        EXPECT_EQ(result_of(gpu, a, "one"), words(64, 2 * 1001 + 2));
        EXPECT_EQ(result_of(gpu, b, "two"), words(64, 2 * 1002 + 1));
    });
    EXPECT_EQ(launches_of("put"), 2U);
    EXPECT_EQ(launches_of("put@2"), 1U) << "the kernel of that name of the second program";
    EXPECT_EQ(launches_of("one"), 1U);
    EXPECT_EQ(launches_of("two"), 1U);
}

TEST_P(programs, run_at_once_in_different_streams) {
    run([](device& gpu) {
        const program_id a = gpu.load(program_of("one", 1));
        const program_id b = gpu.load(program_of("two", 2, second_place));
        const device_buffer<std::uint32_t> x(gpu, 4096, "x");
        const device_buffer<std::uint32_t> y(gpu, 4096, "y");
        for (unsigned round = 0; round < 3; ++round) {
            for (const auto& [id, out] : {std::pair(a, &x), std::pair(b, &y)}) {
                launch_shape shape{{64, 1, 1}, {64, 1, 1}};
                shape.stream = gpu.create_stream();
                (void)launch_one(gpu, id, "put", shape, *out);
            }
        }
        EXPECT_EQ(x.read(), words(4096, 1001));
        EXPECT_EQ(y.read(), words(4096, 1002));
        EXPECT_EQ(result_of(gpu, a, "one"), words(64, 2 * 1001 + 3 * 64));
        EXPECT_EQ(result_of(gpu, b, "two"), words(64, 2 * 1002 + 3 * 64));
    });
}

TEST_P(programs, come_and_go_at_one_place) {
    run([](device& gpu) {
        auto& basic = dynamic_cast<basic_device&>(gpu);
        const std::size_t ranges = basic.ranges().ranges().size();
        for (unsigned round = 0; round < 100; ++round) {
            // Two programs in turn, so that what is left of one is seen in the other.
            static const auto even = program_of("one", 7, second_place);
            static const auto odd = program_of("two", 9, second_place);
            const unsigned value = round % 2 == 0 ? 7 : 9;
            const program_id id = gpu.load(round % 2 == 0 ? even : odd);
            ASSERT_EQ(id.value(), round);
            ASSERT_EQ(result_of(gpu, id, "put"), words(64, 1000 + value)) << round;
            // Its count of calls begins at 0 each time.
            ASSERT_EQ(result_of(gpu, id, round % 2 == 0 ? "one" : "two"),
                      words(64, 2 * (1000 + value) + 1))
                << round;
            gpu.unload(id);
            ASSERT_EQ(basic.ranges().ranges().size(), ranges);
            ASSERT_EQ(gpu.programs().held().size(), 0U);
        }
        EXPECT_THAT(gpu.programs().kernel_labels(), ElementsAre("one", "put", "put@2", "two"));
    });
    EXPECT_EQ(launches_of("put"), 50U);
    EXPECT_EQ(launches_of("put@2"), 50U);
}

TEST_P(programs, that_overlap_are_refused_with_both_names) {
    run([](device& gpu) {
        const program_id a = gpu.load(program_of("one", 1));
        EXPECT_THAT(error_of([&] { gpu.load(program_of("two", 2)); }),
                    testing::AllOf(HasSubstr("two.elf': its instructions [0x00010000,"),
                                   HasSubstr("overlap the instructions [0x00010000,"),
                                   HasSubstr("one.elf'; link it for other addresses")));
        const program::program_place code_of_one{0x00010000, second_place.data};
        EXPECT_THAT(error_of([&] { gpu.load(program_of("two", 2, code_of_one)); }),
                    HasSubstr("overlap the instructions"));
        const program::program_place data_of_one{second_place.code, 0x40000000};
        EXPECT_THAT(error_of([&] { gpu.load(program_of("two", 2, data_of_one)); }),
                    HasSubstr("its global variables [0x40000000,"));
        const device_address buffer = gpu.allocate(1 << 20, "buffer");
        const program::program_place in_buffer{second_place.code, (buffer + 0xfff) & ~0xfffU};
        EXPECT_THAT(error_of([&] { gpu.load(program_of("two", 2, in_buffer)); }),
                    HasSubstr("overlap the allocation 'buffer'"));
        EXPECT_EQ(gpu.programs().held().size(), 1U);
        EXPECT_EQ(result_of(gpu, a, "put"), words(64, 1001)) << "nothing has changed";
        // Places that the device finds.
        for (unsigned value : {3U, 4U, 5U}) {
            const auto place = gpu.free_place({8192, 8192});
            EXPECT_EQ(place.code % 4096 + place.data % 4096, 0U);
            const program_id id = gpu.load(program_of("two", value, place));
            EXPECT_EQ(result_of(gpu, id, "put"), words(64, 1000 + value));
        }
    });
}

TEST_P(programs, are_not_unloaded_while_they_run) {
    run([](device& gpu) {
        const program_id a = gpu.load(program_of("one", 1));
        const program_id b = gpu.load(program_of("two", 2, second_place));
        const device_buffer<std::uint32_t> out(gpu, 64, "out");
        (void)launch_one(gpu, a, "put", one_block, out);
        EXPECT_THAT(error_of([&] { gpu.unload(a); }),
                    testing::AllOf(HasSubstr("one.elf': launch 1 of its kernel 'put' has not "
                                             "ended; wait for it first")));
        gpu.unload(b);  // of which nothing runs
        gpu.wait(gpu.record(stream_id(0)));
        gpu.unload(a);
        EXPECT_EQ(out.read(), words(64, 1001));
        EXPECT_EQ(error_of([&] { gpu.unload(a); }), "program 0 is not loaded any more");
        EXPECT_EQ(error_of([&] { (void)gpu.image(program_id(2)); }), "program 2 was never loaded");
        const auto image = program_of("one", 1);
        EXPECT_THAT(error_of([&] { gpu.launch(image->kernels()[0], one_block, {}); }),
                    HasSubstr("is of no program that the device holds"));
    });
}

TEST_P(programs, of_one_kernel_name_have_to_be_named) {
    run([](device& gpu) {
        gpu.load(program_of("one", 1));
        EXPECT_EQ(find_kernel(gpu, "put").name, "put");
        const program_id b = gpu.load(program_of("two", 2, second_place));
        EXPECT_EQ(find_kernel(gpu, "two").name, "two");
        EXPECT_THAT(
            error_of([&] { (void)find_kernel(gpu, "put"); }),
            testing::AllOf(
                HasSubstr("one.elf' and '"),
                HasSubstr(
                    "two.elf' have a kernel 'put' both; 'FILE:put' says which one is meant")));
        EXPECT_EQ(&find_kernel(gpu, "two.elf:put"), &find_kernel(gpu, b, "put"));
        EXPECT_NE(&find_kernel(gpu, "one.elf:put"), &find_kernel(gpu, b, "put"));
        EXPECT_EQ(&find_kernel(gpu, gpu.image(b).name() + ":two"), &find_kernel(gpu, "two"));
        EXPECT_THAT(error_of([&] { (void)find_kernel(gpu, "three.elf:put"); }),
                    HasSubstr("no program 'three.elf'; the device holds '"));
        EXPECT_THAT(error_of([&] { (void)find_kernel(gpu, "two.elf:one"); }),
                    HasSubstr("no kernel 'two.elf:one'"));
        EXPECT_THAT(error_of([&] { (void)find_kernel(gpu, "twi"); }),
                    testing::AllOf(HasSubstr("no kernel 'twi'"), HasSubstr("did you mean 'two'")));
        EXPECT_THAT(error_of([&] { (void)gpu.image(); }), HasSubstr("the device holds 2 programs"));
        gpu.unload(b);
        EXPECT_EQ(find_kernel(gpu, "put").name, "put");
    });
}

TEST_P(programs, have_times_where_there_is_time) {
    run([&](device& gpu) {
        const program_id a = gpu.load(program_of("one", 1));
        const device_buffer<std::uint32_t> out(gpu, 64, "out");
        const launch_number first = launch_one(gpu, a, "put", one_block, out);
        const launch_number second = launch_one(gpu, a, "put", one_block, out);
        EXPECT_EQ(first.value(), 0U);
        EXPECT_EQ(second.value(), 1U);
        EXPECT_FALSE(gpu.times(second).first_dispatch.has_value());
        EXPECT_FALSE(gpu.times(second).end.has_value());
        gpu.synchronize();
        const launch_times one = gpu.times(first);
        const launch_times two = gpu.times(second);
        EXPECT_EQ(one.end.has_value(), GetParam());
        EXPECT_EQ(two.queued.has_value(), GetParam());
        EXPECT_EQ(error_of([&] { (void)gpu.times(launch_number(2)); }),
                  "there was no launch 2; there were 2");
        if (!GetParam()) return;
        EXPECT_EQ(one.queued, two.queued) << "one instant";
        EXPECT_LT(one.queued, one.first_dispatch);
        EXPECT_LT(one.first_dispatch, one.end);
        EXPECT_LT(one.end, two.end);
        EXPECT_LT(one.first_dispatch, two.first_dispatch) << "one stream";
        EXPECT_EQ(two.end, gpu.clock().value() - 1) << "the host goes on in that cycle";
    });
}

TEST(timed_programs, have_the_times_that_the_statistics_have) {
    timed_machine machine(configuration_of("tiny"));
    launch_times times;
    machine.run_well([&](device& gpu) {
        const program_id a = gpu.load(program_of("one", 1));
        const device_buffer<std::uint32_t> out(gpu, 64 * 256, "out");
        const launch_number only = launch_one(gpu, a, "put", many_blocks, out);
        gpu.synchronize();
        times = gpu.times(only);
    });
    EXPECT_EQ(times.first_dispatch, machine.count("smx_scheduler.first_dispatch"));
    EXPECT_EQ(*times.end - *times.queued, machine.count("gpu.cycles"));
}

/// L1I of an SMX holds lines by address: those of a program that is gone are not the next one's.
TEST(timed_programs, are_cold_when_they_come_again) {
    timed_machine machine(configuration_of("tiny"));
    machine.run_well([&](device& gpu) {
        const auto image = program_of("one", 1, second_place);
        const device_buffer<std::uint32_t> out(gpu, 64 * 256, "out");
        const auto cycles = [&](program_id of) {
            const launch_number number = launch_one(gpu, of, "put", many_blocks, out);
            gpu.synchronize();
            return *gpu.times(number).end - *gpu.times(number).queued;
        };
        program_id id = gpu.load(image);
        (void)cycles(id);
        const std::uint64_t warm = cycles(id);
        EXPECT_EQ(cycles(id), warm) << "nothing else makes the difference";
        gpu.unload(id);
        id = gpu.load(image);
        EXPECT_GT(cycles(id), warm);
        EXPECT_EQ(cycles(id), warm);
    });
}

INSTANTIATE_TEST_SUITE_P(device, programs, testing::Bool(),
                         [](const auto& which) { return which.param ? "timed" : "functional"; });

}  // namespace
}  // namespace heddle
