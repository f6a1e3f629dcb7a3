// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/slot.h"

#include <gmock/gmock.h>

#include <ostream>

#include "models/base/random.h"

namespace heddle {
namespace {

/// Round-robin picker among eight requesters.
struct picker_traits {
    static constexpr const char* name = "picker";
    struct inputs {
        std::uint32_t requests = 0;
    };
    struct outputs {
        std::uint32_t grant = 0;
        friend bool operator==(const outputs& a, const outputs& b) { return a.grant == b.grant; }
    };
};
std::ostream& operator<<(std::ostream& out, const picker_traits::inputs& in) {
    return out << "{requests " << in.requests << "}";
}
std::ostream& operator<<(std::ostream& out, const picker_traits::outputs& got) {
    return out << "{grant " << got.grant << "}";
}

/// Looks for the requester one by one.
class searching_picker final : public slot<picker_traits> {
public:
    outputs decide(const inputs& in) override {
        next_ = last_;
        for (unsigned step = 1; step <= 8; ++step) {
            const unsigned at = (last_ + step) % 8;
            if (((in.requests >> at) & 1) != 0) {
                next_ = at;
                return {1U << at};
            }
        }
        return {};
    }
    void clock_edge() override { last_ = next_; }
    void reset() override { last_ = next_ = 7; }

private:
    unsigned last_ = 7;
    unsigned next_ = 7;
};

/// As hardware does it: rotate, isolate the lowest bit, rotate back. `bug`: forgets to load its
/// register once the last requester has been served.
class rotating_picker final : public slot<picker_traits> {
public:
    explicit rotating_picker(bool bug) : bug_(bug) {}
    outputs decide(const inputs& in) override {
        const std::uint32_t doubled = (in.requests & 0xff) * 0x101;
        const std::uint32_t rotated = (doubled >> first_) & 0xff;
        const std::uint32_t lowest = rotated & (~rotated + 1);
        const std::uint32_t grant = ((lowest << first_) | (lowest << first_ >> 8)) & 0xff;
        next_ = first_;
        if (grant != 0) {
            next_ = (static_cast<unsigned>(__builtin_ctz(grant)) + 1) % 8;
        }
        return {grant};
    }
    void clock_edge() override { first_ = bug_ && next_ == 0 ? first_ : next_; }
    void reset() override { first_ = next_ = 0; }

private:
    bool bug_;
    unsigned first_ = 0;
    unsigned next_ = 0;
};

slot_registry<picker_traits> registry(bool bug) {
    slot_registry<picker_traits> known;
    known.add("tlm", [](const slot_context&) { return std::make_unique<searching_picker>(); });
    known.add("rtl", [bug](const slot_context&) { return std::make_unique<rotating_picker>(bug); });
    return known;
}

void drive(slot<picker_traits>& part, random_stream& random) {
    for (int cycle = 0; cycle < 10000; ++cycle) {
        (void)part.decide({static_cast<std::uint32_t>(random.below(256))});
        (void)part.decide({static_cast<std::uint32_t>(random.below(256))});
        part.clock_edge();
    }
}

TEST(slot, implementations_agree_in_lock_step) {
    run_status status;
    const auto part = registry(false).make("shadow", {"gpu.arbiter", 1, &status});
    random_stream random(1, "slot");
    drive(*part, random);
    EXPECT_EQ(status.text(), "");
}

TEST(slot, the_first_difference_is_reported_once_with_inputs_and_outputs) {
    run_status status;
    const auto part = registry(true).make("shadow", {"gpu.arbiter", 1, &status});
    EXPECT_EQ(part->decide({0x80}).grant, 0x80U);
    part->clock_edge();
    (void)part->decide({0x81});
    part->clock_edge();
    EXPECT_FALSE(status.stop_requested());
    (void)part->decide({0x82});
    part->clock_edge();
    (void)part->decide({0x82});
    part->clock_edge();
    EXPECT_FALSE(status.stop_requested());
    (void)part->decide({0x0f});  // served last: 7; the broken register still says 2
    EXPECT_EQ(status.kind(), error_kind::wrong_result);
    EXPECT_EQ(status.messages().front(),
              "slot 'gpu.arbiter' (picker): the two implementations differ at its clock edge 4: "
              "inputs {requests 15}, tlm gives {grant 1}, rtl gives {grant 4}");
    random_stream random(1, "slot");
    drive(*part, random);
    EXPECT_EQ(status.report_count(), 1U);
}

TEST(slot, unknown_implementations_name_the_legal_ones) {
    const slot_registry<picker_traits> known = registry(false);
    try {
        (void)known.make("verilog", {"gpu.arbiter", 1, nullptr});
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_STREQ(error.what(),
                     "slot.picker: 'gpu.arbiter' asks for implementation 'verilog', which this "
                     "build does not have; legal: rtl, tlm, shadow");
    }
}

TEST(slot, shadow_needs_both) {
    slot_registry<picker_traits> known;
    known.add("tlm", [](const slot_context&) { return std::make_unique<searching_picker>(); });
    EXPECT_THROW((void)known.make("shadow", {"x", 1, nullptr}), configuration_error);
    EXPECT_THROW(known.add("tlm", nullptr), configuration_error);
    EXPECT_THROW(known.add("shadow", nullptr), configuration_error);
    EXPECT_EQ(known.keys(), "tlm");
}

}  // namespace
}  // namespace heddle
