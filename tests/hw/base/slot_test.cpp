// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/slot.h"

#include <gmock/gmock.h>

#include <ostream>

#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

/// Round-robin picker among eight requesters.
struct picker_traits {
    static constexpr const char* name = "picker";
    using interface = slot<picker_traits>;
    struct setting {
        unsigned first = 0;  ///< whose turn it is after a reset
    };
    struct inputs {
        std::uint32_t requests = 0;
    };
    struct outputs {
        std::uint32_t grant = 0;
    };
    using field = slot_field<outputs>;
    static constexpr field fields[] = {
        {"any", [](const outputs& o, std::uint32_t) { return std::uint64_t{o.grant != 0}; }},
        {"grant",
         [](const outputs& o, std::uint32_t bit) { return std::uint64_t{o.grant >> bit & 1}; },
         [](const outputs&) { return std::uint32_t{8}; }}};
};
std::ostream& operator<<(std::ostream& out, const picker_traits::inputs& in) {
    return out << "{requests " << in.requests << "}";
}

/// Looks for the requester one by one.
class searching_picker final : public slot<picker_traits> {
public:
    explicit searching_picker(unsigned first) : before_((first + 7) % 8) {
        searching_picker::reset();
    }
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
    void reset() override { last_ = next_ = before_; }

private:
    unsigned before_;
    unsigned last_ = 0;
    unsigned next_ = 0;
};

/// As hardware does it: rotate, isolate the lowest bit, rotate back. `bug`: forgets to load its
/// register once the last requester has been served.
class rotating_picker final : public slot<picker_traits> {
public:
    rotating_picker(unsigned first, bool bug) : bug_(bug), start_(first), first_(first) {}
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
    void reset() override { first_ = next_ = start_; }

private:
    bool bug_;
    unsigned start_;
    unsigned first_;
    unsigned next_ = 0;
};

using setting = picker_traits::setting;

slot_registry<picker_traits> tlm_only() {
    return slot_registry<picker_traits>([](const setting& s, const slot_context&) {
        return std::make_unique<searching_picker>(s.first);
    });
}

slot_registry<picker_traits> with_rtl(bool bug) {
    slot_registry<picker_traits> known = tlm_only();
    known.add_rtl([bug](const setting& s, const slot_context&) {
        return std::make_unique<rotating_picker>(s.first, bug);
    });
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
    slot_rig rig;
    const auto part =
        rig.maker(with_rtl(false), slot_implementation::shadow).make({3}, "gpu.arbiter");
    random_stream random(1, "slot");
    drive(*part, random);
    part->reset();
    EXPECT_EQ(part->decide({0xff}).grant, 8U);
    EXPECT_EQ(rig.status.text(), "");
}

TEST(slot, the_first_difference_is_reported_once_with_cycle_and_field) {
    slot_rig rig;
    const auto part =
        rig.maker(with_rtl(true), slot_implementation::shadow).make({}, "gpu.arbiter");
    EXPECT_EQ(part->decide({0x80}).grant, 0x80U);
    part->clock_edge();
    (void)part->decide({0x81});
    part->clock_edge();
    EXPECT_FALSE(rig.status.stop_requested());
    (void)part->decide({0x82});
    part->clock_edge();
    (void)part->decide({0x82});
    part->clock_edge();
    EXPECT_FALSE(rig.status.stop_requested());
    rig.clock.now = 57;
    EXPECT_EQ(part->decide({0x0f}).grant, 1U) << "what the tlm part answers counts";
    EXPECT_EQ(rig.status.kind(), error_kind::wrong_result);
    // served last: 7; the broken register still says 2
    EXPECT_EQ(rig.status.messages().front(),
              "gpu.arbiter: the implementations of slot.picker differ in cycle 57 of gpu.clock: "
              "grant[0]: tlm 1, rtl 0; asked with {requests 15}; before that, the last one first: "
              "cycle 0 {requests 130} cycle 0 {requests 130} cycle 0 {requests 129} cycle 0 "
              "{requests 128}");
    random_stream random(1, "slot");
    drive(*part, random);
    EXPECT_EQ(rig.status.report_count(), 1U);
}

TEST(slot, a_waveform_has_the_answers_of_both) {
    slot_rig rig;
    last_values view;
    rig.listeners.view = &view;
    const auto part =
        rig.maker(with_rtl(true), slot_implementation::shadow).make({}, "gpu.arbiter");
    ASSERT_EQ(view.names.size(), 2U + 2 * 32);
    EXPECT_EQ(view.names[0], "gpu.arbiter.tlm.any/0");
    EXPECT_EQ(view.names[3], "gpu.arbiter.rtl.grant_0/0");
    for (const std::uint32_t requests : {0x80U, 0x81U, 0x82U, 0x82U}) {
        (void)part->decide({requests});
        part->clock_edge();
    }
    EXPECT_EQ(view.last["gpu.arbiter.tlm.grant_7/0"], 1U);
    EXPECT_EQ(view.last["gpu.arbiter.rtl.grant_7/0"], 1U);
    (void)part->decide({0x0f});
    EXPECT_EQ(view.last["gpu.arbiter.tlm.grant_0/0"], 1U) << "also those that differ";
    EXPECT_EQ(view.last["gpu.arbiter.rtl.grant_0/0"], 0U);
    EXPECT_EQ(view.last["gpu.arbiter.rtl.grant_8/0"], picker_traits::field::none);
}

TEST(slot, the_last_sixteen_calls_are_kept) {
    call_history<int> history;
    std::ostringstream none;
    history.write(none);
    EXPECT_EQ(none.str(), "");
    for (int call = 0; call < 40; ++call) history.add(100 + static_cast<unsigned>(call), call);
    std::ostringstream text;
    history.write(text);
    EXPECT_THAT(text.str(), testing::StartsWith(
                                "; before that, the last one first: cycle 139 39 cycle 138 38"));
    EXPECT_THAT(text.str(), testing::EndsWith("cycle 125 25 cycle 124 24"));
}

TEST(slot, values_are_shown_as_their_field_says) {
    struct answer {
        std::uint64_t at;
    };
    using field = slot_field<answer>;
    constexpr field fields[] = {{"at", [](const answer& a, std::uint32_t) { return a.at; }, nullptr,
                                 field::notation::hexadecimal}};
    slot_rig rig;
    lock_step comparison("branch", slot_context("gpu.stack", 1, rig.clock, rig.status));
    comparison.compare(fields, answer{0x1000}, answer{0x1000}, [](std::ostream&) { FAIL(); });
    comparison.compare(fields, answer{0x1000}, answer{field::none},
                       [](std::ostream& to) { to << "{}"; });
    EXPECT_EQ(rig.status.messages().front(),
              "gpu.stack: the implementations of slot.branch differ in cycle 0 of gpu.clock: at: "
              "tlm 0x1000, rtl none; asked with {}");
}

TEST(slot, implementations_are_those_of_the_build) {
    slot_rig rig;
    EXPECT_THAT(tlm_only().keys().names(), testing::ElementsAre("tlm"));
    EXPECT_THAT(with_rtl(false).keys().names(), testing::ElementsAre("tlm", "rtl", "shadow"));
    for (const auto which : {slot_implementation::rtl, slot_implementation::shadow}) {
        try {
            (void)rig.maker(tlm_only(), which).make({}, "gpu.arbiter");
            FAIL() << "no error";
        } catch (const configuration_error& error) {
            EXPECT_STREQ(error.what(),
                         "slot.picker: gpu.arbiter asks for an implementation that this build "
                         "does not have; legal: tlm");
        }
    }
    slot_registry<picker_traits> both = with_rtl(false);
    EXPECT_THROW(both.add_rtl(nullptr), configuration_error);
}

}  // namespace
}  // namespace heddle
