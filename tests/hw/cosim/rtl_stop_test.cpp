// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/rtl_stop.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "hw/cosim/rtl_model.h"
#include "tests/hw/protocol/scripted_link.h"

void vl_stop(const char* file, int line, const char* hierarchy);
void vl_finish(const char* file, int line, const char* hierarchy);

namespace heddle::cosim {
namespace {

using protocol::testing::report_catcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// queue_picker.sv asserts that a queue is ready when it is asked.
TEST(rtl_stop, a_failed_assertion_is_heard_with_its_place) {
    const auto rtl = make_queue_picker_rtl();
    std::vector<std::string> heard;
    rtl->on_stop([&](const std::string& place) { heard.push_back(place); });
    rtl->reset();
    rtl->inputs()[1] = 0;
    rtl->inputs()[0] = 4;
    rtl->clock();
    EXPECT_THAT(heard, IsEmpty());
    rtl->inputs()[0] = 0;
    rtl->evaluate();
    rtl->clock();
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_THAT(heard[0], HasSubstr("queue_picker.sv:"));
}

TEST(rtl_stop, the_innermost_listener_hears_it) {
    std::vector<std::string> outer, inner;
    const rtl_stop_listener::function to_outer = [&](const std::string& p) { outer.push_back(p); };
    const rtl_stop_listener::function to_inner = [&](const std::string& p) { inner.push_back(p); };
    const rtl_stop_listener first(to_outer);
    {
        const rtl_stop_listener second(to_inner);
        vl_finish("a.sv", 3, "");
    }
    vl_stop("b.sv", 4, "");
    EXPECT_THAT(inner, ElementsAre("a.sv:3 ($finish)"));
    EXPECT_THAT(outer, ElementsAre("b.sv:4 (a failed assertion, $error, $fatal or $stop)"));
}

TEST(rtl_stop, without_a_listener_it_is_an_error_of_the_simulation) {
    const report_catcher reports;
    vl_stop("c.sv", 5, "");
    EXPECT_THAT(report_catcher::ids(), ElementsAre("heddle/rtl/stopped"));
    EXPECT_THAT(report_catcher::text(), HasSubstr("c.sv:5"));
}

/// Before its reset, the picker has any queues as those that come next: of two neighbours it picks
/// the second one now and then.
TEST(rtl_reset, registers_that_nothing_has_loaded_are_random) {
    const auto rtl = make_queue_picker_rtl();
    unsigned second = 0;
    for (unsigned queue = 0; queue < 31; ++queue) {
        rtl->inputs()[1] = 0;
        rtl->inputs()[0] = 3U << queue;
        rtl->evaluate();
        second += (rtl->outputs()[0] & 63U) == queue + 1 ? 1 : 0;
    }
    EXPECT_GT(second, 0U);
    EXPECT_LT(second, 31U);
}

}  // namespace
}  // namespace heddle::cosim
