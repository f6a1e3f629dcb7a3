// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/protocol/wire.h"

#include <gtest/gtest.h>

#include "runtime/client/environment.h"
#include "runtime/protocol/commands.h"

namespace heddle::runtime {
namespace {

TEST(wire, brings_every_member_back) {
    launch_request sent;
    sent.program = 3;
    sent.block = {4, 5, 6};
    sent.arguments = {{std::byte{1}, std::byte{2}}, {}};
    sent.after = {7, std::uint64_t{1} << 40};
    wire_writer out;
    out(sent);
    wire_reader in(out.bytes());
    launch_request got;
    got.fields(in);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(got.program, 3u);
    EXPECT_EQ(got.block, sent.block);
    EXPECT_EQ(got.arguments, sent.arguments);
    EXPECT_EQ(got.after, sent.after);
}

TEST(wire, refuses_a_message_that_is_cut_off) {
    wire_writer out;
    out(std::string("text"));
    for (std::size_t size = 0; size < out.bytes().size(); ++size) {
        const std::vector<std::byte> part(out.bytes().begin(),
                                          out.bytes().begin() + static_cast<std::ptrdiff_t>(size));
        wire_reader in(part);
        std::string text;
        EXPECT_THROW(in(text), connection_error) << size;
    }
}

TEST(environment, is_split_as_a_shell_does) {
    using words = std::vector<std::string>;
    EXPECT_EQ(split_words("  --set a=1\t--vcd w.vcd "), (words{"--set", "a=1", "--vcd", "w.vcd"}));
    EXPECT_EQ(split_words(R"('a b' "c 'd" e\ f '')"), (words{"a b", "c 'd", "e f", ""}));
    EXPECT_EQ(split_words(""), words{});
    EXPECT_THROW((void)split_words("'a"), connection_error);
    for (const std::string word : {"", "a b", "it's", "\"", "\\"}) {
        EXPECT_EQ(split_words(quoted_word(word)), words{word});
    }
}

}  // namespace
}  // namespace heddle::runtime
