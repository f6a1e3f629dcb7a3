// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/npy_header.h"

#include <gmock/gmock.h>

#include "models/base/error.h"
#include "tests/base/npy_bytes.h"
#include "tests/base/temporary_directory.h"

namespace heddle::command {
namespace {

using program::layout_field;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using kind = layout_field::kind;

npy_header parse(const std::string& descr, const std::string& shape = "(2,)",
                 const std::string& order = "False") {
    return parse_npy_header(npy_bytes(descr, shape, "", order), "a.npy");
}

std::string refusal(const std::string& file) {
    return message_of<configuration_error>([&] { (void)parse_npy_header(file, "a.npy"); });
}

/// "name kind offset size count" of each field.
std::vector<std::string> fields_of(const program::value_layout& layout) {
    std::vector<std::string> texts;
    for (const layout_field& field : layout.fields) {
        std::string text = field.name + " " + "iubfV"[static_cast<unsigned>(field.what)];
        for (const std::uint32_t number : {field.offset, field.size, field.count}) {
            text += " " + std::to_string(number);
        }
        texts.push_back(text);
    }
    return texts;
}

TEST(npy_header, tells_type_and_shape) {
    const npy_header header = parse("'<f8'", "(3, 4)");
    EXPECT_EQ(header.descr, "'<f8'");
    EXPECT_EQ(header.layout.size, 8U);
    EXPECT_THAT(fields_of(header.layout), ElementsAre(" f 0 8 1"));
    EXPECT_THAT(header.shape, ElementsAre(3, 4));
    EXPECT_EQ(header.bytes, 128U);
    EXPECT_THAT(parse("'|i1'", "()").shape, IsEmpty());
    EXPECT_THAT(fields_of(parse("'|i1'").layout), ElementsAre(" i 0 1 1"));
    EXPECT_THAT(fields_of(parse("'|b1'").layout), ElementsAre(" b 0 1 1"));
    EXPECT_THAT(fields_of(parse("'<u2'").layout), ElementsAre(" u 0 2 1"));
    EXPECT_THAT(parse("'<i8'", "(5L,)").shape, ElementsAre(5));  // Python 2
}

TEST(npy_header, records_have_their_fields_and_padding) {
    const auto header =
        parse("[('pos', '<f4', (3,)), ('id', '<u4'), ('mass', '<f8'), ('on', '|u1'), ('', '|V7')]");
    EXPECT_EQ(header.layout.size, 32U);
    EXPECT_THAT(fields_of(header.layout),
                ElementsAre("pos f 0 4 3", "id u 12 4 1", "mass f 16 8 1", "on u 24 1 1"));
    const auto nested = parse(
        "[(('Title', 'a'), [('x', '<i2'), ('y', '<i2')], (2,)), "
        "('b', [('z', '|S8')])]");
    EXPECT_THAT(fields_of(nested.layout),
                ElementsAre("a[0].x i 0 2 1", "a[0].y i 2 2 1", "a[1].x i 4 2 1", "a[1].y i 6 2 1",
                            "b.z V 8 8 1"));
}

TEST(npy_header, other_versions_have_a_longer_length) {
    std::string file = npy_bytes("'<f4'", "(1,)", "");
    file[6] = 2;
    file.insert(10, 2, '\0');
    EXPECT_EQ(parse_npy_header(file, "a.npy").bytes, 130U);
    file[6] = 4;
    EXPECT_THAT(refusal(file), HasSubstr("version 4"));
}

TEST(npy_header, refuses_what_kernels_do_not_have) {
    EXPECT_THAT(
        refusal(npy_bytes("'>f8'", "(2,)", "")),
        HasSubstr("a.npy: has big-endian values ('>f8'); save it with array.astype('<f8')"));
    EXPECT_THAT(refusal(npy_bytes("'<f8'", "(2, 2)", "", "True")), HasSubstr("Fortran order"));
    EXPECT_NO_THROW((void)parse("'<f8'", "(2,)", "True"));  // the same in both orders
    for (const char* descr : {"'<c8'", "'|O'", "'<M8[ns]'", "'<f16'", "'<i3'", "'<U4'", "'|b2'"}) {
        EXPECT_THAT(refusal(npy_bytes(descr, "(2,)", "")), HasSubstr("which kernels don't have"));
    }
}

TEST(npy_header, refuses_damaged_files) {
    const std::string good = npy_bytes("[('x', '<f4'), ('y', '<f4')]", "(2,)", "");
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_THAT(refusal(good.substr(0, length)), HasSubstr("a.npy: ")) << length;
    }
    EXPECT_THAT(refusal("x,y\n1,2\n"), HasSubstr("is no .npy file"));
    for (const char* descr : {"12", "[]", "['<f4']", "[('x',)]", "[('x', '<f4', 1, 2)]", "''",
                              "[(1, '<f4')]", "[('x', '<f4', (0,))]", "[('x', '<f4', 'y')]",
                              "'<f99999999999'", "[('x', '|V300000000')]", "[('', '|V4')"}) {
        EXPECT_THAT(refusal(npy_bytes(descr, "(2,)", "")), HasSubstr("a.npy: ")) << descr;
    }
    for (const char* shape : {"2", "(-1,)", "('x',)", "(2", "((2,),)"}) {
        EXPECT_THAT(refusal(npy_bytes("'<f4'", shape, "")), HasSubstr("a.npy: ")) << shape;
    }
    std::string deep(100, '[');
    EXPECT_THAT(refusal(npy_bytes(deep, "(2,)", "")), HasSubstr("damaged .npy header"));
    // Small on paper, large when taken apart.
    EXPECT_THAT(refusal(npy_bytes("[('x', [('', '|V1')], (99999999,))]", "(2,)", "")),
                HasSubstr("too many fields"));
}

TEST(npy_header, is_written_as_numpy_reads_it) {
    EXPECT_EQ(format_npy_header("'<f8'", {3, 4}), npy_bytes("'<f8'", "(3, 4)", ""));
    EXPECT_EQ(format_npy_header("'<f8'", {3}), npy_bytes("'<f8'", "(3,)", ""));
    EXPECT_EQ(format_npy_header("'<f8'", {}), npy_bytes("'<f8'", "()", ""));
    const std::string records =
        "[('pos', '<f4', (3,)), ('id', '<u4'), ('on', '|b1'), ('', '|V3'), ('d', '<i8')]";
    EXPECT_EQ(npy_descr(parse(records).layout), records);
    EXPECT_EQ(npy_descr(parse("[('a', '|u1'), ('', '|V3')]").layout),
              "[('a', '|u1'), ('', '|V3')]");
    const std::string wide = "'" + std::string(70000, 'x') + "'";
    const std::string header = format_npy_header(wide, {1});
    EXPECT_EQ(header[6], 2);
    EXPECT_EQ(header.size() % 64, 0U);
}

TEST(npy_header, counts_values_without_overflow) {
    std::uint64_t count = 0;
    EXPECT_TRUE(value_count({}, count));
    EXPECT_EQ(count, 1U);
    EXPECT_TRUE(value_count({3, 0, 5}, count));
    EXPECT_EQ(count, 0U);
    EXPECT_FALSE(value_count({std::uint64_t{1} << 33, std::uint64_t{1} << 33}, count));
}

}  // namespace
}  // namespace heddle::command
