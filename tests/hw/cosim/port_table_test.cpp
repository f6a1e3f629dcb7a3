// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/port_table.h"

#include <gmock/gmock.h>

#include <array>

#include "hw/cosim/dpi.h"
#include "hw/cosim/shell.h"
#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle::cosim {
namespace {

using testing::HasSubstr;

/// One bit at a time.
std::uint64_t naive_bits(const bit_words& words, std::size_t at, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
        value |= std::uint64_t{words[(at + i) / 32] >> ((at + i) % 32) & 1U} << i;
    }
    return value;
}

TEST(bits_in_words, are_put_and_got_at_any_place) {
    random_stream random(1, "bits");
    bit_words words(8);
    for (int round = 0; round < 5000; ++round) {
        const auto width = static_cast<unsigned>(1 + random.below(64));
        const std::size_t at = random.below(256 - width);
        const std::uint64_t value = random.next();
        const bit_words before = words;
        put_bits(words.data(), at, width, value);
        const std::uint64_t mask =
            width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
        ASSERT_EQ(naive_bits(words, at, width), value & mask) << at << ", " << width;
        ASSERT_EQ(get_bits(words.data(), at, width), value & mask) << at << ", " << width;
        for (std::size_t bit = 0; bit < 256; ++bit) {
            if (bit >= at && bit < at + width) continue;
            ASSERT_EQ(naive_bits(words, bit, 1), naive_bits(before, bit, 1)) << bit;
        }
    }
}

struct sample_call {
    std::uint8_t small = 0;
    std::array<std::uint16_t, 3> row{};
    std::uint64_t wide = 0;
    bool ready = false;
    std::array<std::uint8_t, 2> sum{};
};
constexpr port_field<sample_call> sample_ports[] = {
    port_of<&sample_call::small>(port_direction::input, "small", 3),
    port_of<&sample_call::ready>(port_direction::output, "ready", 1),
    port_of<&sample_call::row>(port_direction::input, "row", 9),
    port_of<&sample_call::wide>(port_direction::input, "wide", 64),
    port_of<&sample_call::sum>(port_direction::output, "sum", 5),
};

TEST(port_table, places_ports_one_behind_the_other) {
    const port_table<sample_call> ports(sample_ports);
    sample_call call{5, {0x1ff, 0, 0x155}, 0x0123456789abcdef, false, {}};
    bit_words in(3);
    ports.pack(call, in.data());
    EXPECT_EQ(naive_bits(in, 0, 3), 5U);
    EXPECT_EQ(naive_bits(in, 3, 9), 0x1ffU);
    EXPECT_EQ(naive_bits(in, 12, 9), 0U);
    EXPECT_EQ(naive_bits(in, 21, 9), 0x155U);
    EXPECT_EQ(naive_bits(in, 30, 64), 0x0123456789abcdefU);
    call.small = 0;
    call.wide = 7;
    ports.pack_from(3, call, in.data());
    EXPECT_EQ(naive_bits(in, 0, 3), 5U) << "ports before the first one keep their bits";
    EXPECT_EQ(naive_bits(in, 30, 64), 7U);
    const bit_words out = {1U | 3U << 1 | 30U << 6};
    ports.unpack(out.data(), call);
    EXPECT_TRUE(call.ready);
    EXPECT_EQ(call.sum[0], 3);
    EXPECT_EQ(call.sum[1], 30);
}

TEST(shell, connects_each_port_to_its_bits) {
    const rtl_block block{"sample", port_table<sample_call>(sample_ports).shapes()};
    const std::string text = shell_of(block, "my_sample");
    EXPECT_THAT(text, HasSubstr("module sample_shell ("));
    EXPECT_THAT(text, HasSubstr("input logic [95:0] in,"));
    EXPECT_THAT(text, HasSubstr("assign out[95:11] = '0;"));
    EXPECT_THAT(text, HasSubstr("my_sample block ("));
    EXPECT_THAT(text, HasSubstr(".small(in[2:0])"));
    EXPECT_THAT(text, HasSubstr(".row(in[29:3])"));
    EXPECT_THAT(text, HasSubstr(".wide(in[93:30])"));
    EXPECT_THAT(text, HasSubstr(".ready(out[0:0])"));
    EXPECT_THAT(text, HasSubstr(".sum(out[10:1])"));
    EXPECT_EQ(port_widths(block).find("SAMPLE_ROW_ELEMENTS = 3;") == std::string::npos, false);
}

TEST(shell, a_skeleton_has_all_ports) {
    const rtl_block block{"sample", port_table<sample_call>(sample_ports).shapes()};
    const std::string text = skeleton_of(block, "mine");
    EXPECT_THAT(text, HasSubstr("module mine (\n    input logic clk,\n    input logic rst_n,"));
    EXPECT_THAT(text, HasSubstr("input logic [26:0] row,"));
    EXPECT_THAT(text, HasSubstr("output logic ready,"));
    EXPECT_THAT(text, HasSubstr("assign sum = '0;"));
}

TEST(port_table, inputs_and_outputs_come_back) {
    const port_table<sample_call> ports(sample_ports);
    const sample_call call{5, {0x1ff, 0, 0x155}, 0x0123456789abcdef, true, {7, 31}};
    bit_words in(3), out(1);
    ports.pack(call, in.data());
    ports.pack_outputs(call, out.data());
    sample_call back;
    ports.unpack_inputs(in.data(), back);
    EXPECT_EQ(back.small, 5);
    EXPECT_EQ(back.row, call.row);
    EXPECT_EQ(back.wide, call.wide);
    EXPECT_FALSE(back.ready) << "an output";
    ports.unpack(out.data(), back);
    EXPECT_TRUE(back.ready);
    EXPECT_EQ(back.sum, call.sum);
}

TEST(dpi, functions_have_an_argument_for_each_port) {
    const rtl_block_list blocks{{"sample", port_table<sample_call>(sample_ports).shapes()}};
    EXPECT_THAT(dpi_header(blocks),
                HasSubstr("void* heddle_sample_create(void);\n"
                          "void heddle_sample_decide(void* part, const uint32_t* small, "
                          "uint32_t* ready, const uint32_t* row, const uint32_t* wide, "
                          "uint32_t* sum);\n"
                          "void heddle_sample_edge(void* part);\n"));
    EXPECT_THAT(dpi_package(blocks), HasSubstr("function chandle heddle_sample_create();"));
    EXPECT_THAT(dpi_package(blocks), HasSubstr(",\n      input bit [26:0] row,"));
    EXPECT_THAT(dpi_package(blocks), HasSubstr(",\n      output bit [0:0] ready,"));
    // The places of the shell's flat ports.
    EXPECT_THAT(dpi_source(blocks), HasSubstr("heddle_reference_put(part, 3, 27, row);"));
    EXPECT_THAT(dpi_source(blocks), HasSubstr("heddle_reference_put(part, 30, 64, wide);"));
    EXPECT_THAT(dpi_source(blocks), HasSubstr("heddle_reference_get(part, 1, 10, sum);"));
}

TEST(shell, a_slot_without_rtl_is_named) {
    try {
        (void)find_rtl_block("fetch");
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_STREQ(error.what(),
                     "no slot 'fetch' takes RTL; legal: warp_scheduler, formation, "
                     "crossbar_allocator, dram_scheduler, queue_picker, kde_chain, "
                     "group_allocator, tm_bank");
    }
}

}  // namespace
}  // namespace heddle::cosim
