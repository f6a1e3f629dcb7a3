// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstdint>
#include <cstring>
#include <numeric>

#include "models/base/random.h"
#include "tests/iss/fixture.h"

namespace heddle::iss {
namespace {

using testing::Each;

/// Each test runs with warps of 32 and of 64 threads.
class iss_memory : public testing::TestWithParam<unsigned> {
protected:
    std::unique_ptr<functional_simulator> gpu =
        make_simulator("iss_memory", small_machine(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(warps_of, iss_memory, testing::Values(8u, 16u, 32u, 64u));

template <class T>
T value_at(const std::vector<std::uint8_t>& bytes, std::size_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
}

TEST_P(iss_memory, loads_of_every_width) {
    constexpr unsigned n = 256;
    random_stream random(1, "iss_memory");
    std::vector<std::uint8_t> bytes(n);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const device_buffer<std::uint8_t> in(*gpu, bytes, "in");
    const device_buffer<std::int32_t> out(*gpu, 5 * n, "out");
    launch(*gpu, "widths", {{2}, {n / 2}}, in.get(), out.get());
    const auto found = out.read();
    for (unsigned i = 0; i < n; ++i) {
        EXPECT_EQ(found[5 * i], value_at<std::int8_t>(bytes, i));
        EXPECT_EQ(found[5 * i + 1], value_at<std::uint8_t>(bytes, i));
        EXPECT_EQ(found[5 * i + 2], value_at<std::int16_t>(bytes, i / 2));
        EXPECT_EQ(found[5 * i + 3], value_at<std::uint16_t>(bytes, i / 2));
        EXPECT_EQ(found[5 * i + 4], value_at<std::int32_t>(bytes, i / 4));
    }
}

TEST_P(iss_memory, byte_stores_leave_their_neighbours) {
    const device_buffer<std::uint8_t> out(*gpu, 100, "out");
    launch(*gpu, "byte_stores", {{4}, {25}}, out.get());
    const auto found = out.read();
    for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(found[i], static_cast<std::uint8_t>(3 * i + 1));
}

TEST_P(iss_memory, global_variables) {
    const device_buffer<std::uint32_t> out(*gpu, 70, "out");
    launch(*gpu, "globals", {{1}, {70}}, out.get());
    const auto found = out.read();
    EXPECT_EQ(found[0], 110u);  // 40 and one of each thread
    for (unsigned i = 1; i < 70; ++i) EXPECT_EQ(found[i], 10 * (i % 4 + 1));
}

TEST_P(iss_memory, private_arrays_belong_to_their_thread) {
    const device_buffer<std::uint32_t> out(*gpu, 256, "out");
    launch(*gpu, "private_arrays", {{2}, {128}}, out.get());
    const auto found = out.read();
    for (unsigned i = 0; i < 256; ++i) {
        // bytes[3 i % 16] was written by k with (k + i) % 16 == 3 i % 16.
        const unsigned k = (2 * i) % 16;
        EXPECT_EQ(found[i], 100 * i + 7 + ((i + k) & 0xff)) << i;
    }
}

TEST_P(iss_memory, a_block_finds_its_stack_zeroed) {
    const device_buffer<std::uint32_t> out(*gpu, 64 * 20, "out");
    launch(*gpu, "stale_stack", {{20}, {64}}, out.get());
    EXPECT_THAT(out.read(), Each(0u));
}

TEST_P(iss_memory, one_access_may_span_windows) {
    std::vector<std::uint32_t> values(96);
    std::iota(values.begin(), values.end(), 500);
    const device_buffer<std::uint32_t> in(*gpu, values, "in");
    const device_buffer<std::uint32_t> out(*gpu, 96, "out");
    launch(*gpu, "mixed_windows", {{1}, {96}}, in.get(), out.get());
    const auto found = out.read();
    for (unsigned i = 0; i < 96; ++i) {
        const unsigned expected[] = {500 + i, 77, 1000 + i};
        EXPECT_EQ(found[i], expected[i % 3]) << i;
    }
}

TEST_P(iss_memory, of_stores_to_one_place_the_highest_lane_stays) {
    const device_buffer<std::uint32_t> out(*gpu, 1, "out");
    launch(*gpu, "same_place", {{1}, {GetParam()}}, out.get());
    EXPECT_EQ(out.read()[0], GetParam() - 1);
}

TEST_P(iss_memory, atomics_take_effect_in_order_of_lanes) {
    const unsigned lanes = GetParam();
    const device_buffer<std::uint32_t> counter(*gpu, 1, "counter");
    const device_buffer<std::uint32_t> seen(*gpu, lanes, "seen");
    const device_buffer<float> sum(*gpu, 1, "sum");
    launch(*gpu, "atomic_order", {{1}, {lanes}}, counter.get(), seen.get(), sum.get());
    const auto found = seen.read();
    for (unsigned lane = 0; lane < lanes; ++lane) EXPECT_EQ(found[lane], 2 * lane);
    EXPECT_EQ(counter.read()[0], 2 * lanes);
    EXPECT_EQ(sum.read()[0], 0.5f * static_cast<float>(lanes));
}

TEST_P(iss_memory, reservations_let_every_thread_count) {
    const device_buffer<std::uint32_t> counter(*gpu, 1, "counter");
    launch(*gpu, "reserved_increments", {{3}, {100}}, counter.get());
    EXPECT_EQ(counter.read()[0], 300u);
}

TEST_P(iss_memory, a_store_breaks_the_reservations_of_its_word) {
    const device_buffer<std::uint32_t> word(*gpu, 1, "word");
    const device_buffer<std::uint32_t> result(*gpu, 4, "result");
    launch(*gpu, "broken_reservation", {{1}, {4}}, word.get(), result.get());
    EXPECT_THAT(result.read(), Each(1u));
    EXPECT_EQ(word.read()[0], 5u);
}

TEST_P(iss_memory, a_reservation_ends_with_its_thread) {
    constexpr std::uint32_t blocks = 12;  // more than fit at once
    const device_buffer<std::uint32_t> word(*gpu, 1, "word");
    const device_buffer<std::uint32_t> result(*gpu, blocks, "result");
    launch(*gpu, "reserve_and_end", {{blocks}, {1}}, word.get(), result.get());
    std::vector<std::uint32_t> expected(blocks, 1u);
    expected[0] = 0;
    EXPECT_EQ(result.read(), expected);
    EXPECT_EQ(word.read()[0], 0u);
}

TEST_P(iss_memory, static_and_dynamic_shared_memory) {
    const device_buffer<std::uint32_t> out(*gpu, 9, "out");
    launch_shape shape{{9}, {64}};
    shape.dynamic_shared_bytes = 400;
    launch(*gpu, "shared_layout", shape, out.get());
    EXPECT_THAT(out.read(), Each(203u));
}

/// More bytes than the device moves at a time, and not a multiple of that.
TEST_P(iss_memory, fills_all_of_a_large_buffer_and_zeroes_it_when_it_is_allocated_again) {
    constexpr std::size_t size = 100'003;
    const device_buffer<std::uint8_t> before(*gpu, std::vector<std::uint8_t>(size, 5), "before");
    const device_address place = gpu->allocate(size, "large");
    std::vector<std::uint8_t> found(size);
    gpu->fill(place, 7, size);
    gpu->read(found.data(), place, size);
    EXPECT_THAT(found, Each(7));
    gpu->release(place);
    ASSERT_EQ(gpu->allocate(size, "again"), place);
    gpu->read(found.data(), place, size);
    EXPECT_THAT(found, Each(0));
    EXPECT_THAT(before.read(), Each(5));
}

}  // namespace
}  // namespace heddle::iss
