// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <string>

#include "hw/base/clock_domain.h"
#include "models/base/error.h"
#include "tests/hw/base/simulate.h"

namespace heddle {
namespace {

/// Writes its name when it is evaluated (a small letter) and updated (a capital).
class writer final : public clocked {
public:
    writer(clock_domain& domain, char name, std::string& text)
        : clocked(domain, "writer"), name_(name), text_(text) {}
    void evaluate() override { text_ += name_; }
    activity update() override {
        text_ += static_cast<char>(name_ - 'a' + 'A');
        return activity::idle;
    }

private:
    char name_;
    std::string& text_;
};

TEST(reversed_parts, run_from_the_last_and_keep_their_wake_ups) {
    clock_domain core("core", frequency::megahertz(1000));
    std::string text;
    writer a(core, 'a', text);
    writer b(core, 'b', text);
    writer c(core, 'c', text);
    a.wake_at(7);  // before the change and behind it
    core.reverse_parts();
    c.wake_at(9);
    simulate();
    EXPECT_EQ(text, "cbaCBAaAcC");
    EXPECT_THROW(core.reverse_parts(), configuration_error);
}

}  // namespace
}  // namespace heddle
