// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/slot_usage.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(slot_usage, says_how_often_rtl_was_asked_and_which_bits_never_changed) {
    slot_usage usage;
    const auto in = usage.declare_bits("gpu.smx_0.stack.ports.in", 66);
    const auto out = usage.declare_bits("gpu.smx_0.stack.ports.out", 1);
    for (const std::uint64_t value : {0, 5}) {
        const std::uint64_t words[] = {value, 2};
        usage.set_bits(in, words);
        usage.set_bits(out, &value);
    }
    EXPECT_THAT(usage.lines(),
                ElementsAre("gpu.smx_N.stack: the RTL was asked 2 times; bits of ports that had "
                            "one value only: in 64/66"));
    EXPECT_THAT(usage.never_asked(), IsEmpty());
}

TEST(slot_usage, instances_that_differ_in_numbers_are_one_group) {
    slot_usage usage;
    const auto first = usage.declare_bits("gpu.smx_0.bank_12.ports.in", 1);
    const auto second = usage.declare_bits("gpu.smx_10.bank_3.ports.in", 1);
    (void)usage.declare_bits("gpu.kmu.picker.ports.in", 1);
    std::uint64_t value = 0;
    usage.set_bits(first, &value);
    value = 1;
    usage.set_bits(second, &value);
    usage.set_bits(second, &value);
    EXPECT_THAT(usage.lines(),
                ElementsAre("gpu.smx_N.bank_N: the RTL was asked 3 times; each bit of its ports "
                            "had both values",
                            "gpu.kmu.picker: the RTL was asked 0 times; bits of ports that had one "
                            "value only: in"));
    EXPECT_EQ(usage.never_asked(), "gpu.kmu.picker");
}

/// What a waveform would have.
class counting_view final : public slot_view {
public:
    handle declare_number(const std::string&) override { return 7; }
    handle declare_bits(const std::string&, unsigned) override { return 9; }
    void set_number(handle which, std::uint64_t value) override { number = which + value; }
    void set_bits(handle which, const std::uint64_t* words) override { bits = which + *words; }
    std::uint64_t number = 0, bits = 0;
};

TEST(slot_usage, hands_on_what_it_hears) {
    counting_view view;
    slot_usage usage(&view);
    const auto bits = usage.declare_bits("a.ports.x", 8);
    const auto number = usage.declare_number("a.tlm.y");
    const std::uint64_t value = 100;
    usage.set_bits(bits, &value);
    usage.set_number(number, 200);
    EXPECT_EQ(view.bits, 109U);
    EXPECT_EQ(view.number, 207U);
}

}  // namespace
}  // namespace heddle
