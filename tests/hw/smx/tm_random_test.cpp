// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Banks under random transactions of up to 4 warps, beside a naive machine that knows exactly who
// has read and written what (tb/tm/random_transactions.h). tm_tb does the same over sockets.
#include <gmock/gmock.h>

#include "tb/tm/random_transactions.h"
#include "tests/hw/smx/tm_fixture.h"

namespace heddle {
namespace {

class rig_machine final : public transactional_machine {
public:
    explicit rig_machine(const transaction_configuration& configuration) : rig_(configuration) {}

    [[nodiscard]] tm_engine& engine() override { return rig_.engine; }
    [[nodiscard]] shared_banks& memory() override { return rig_.memory; }
    unsigned access(protocol::shared_access& access) override {
        return rig_.engine.access(access).cycles;
    }

private:
    tm_rig rig_;
};

class random_mechanisms
    : public testing::TestWithParam<std::tuple<transaction_detection, transaction_serialization>> {
};
INSTANTIATE_TEST_SUITE_P(all, random_mechanisms,
                         testing::Combine(testing::ValuesIn(conflict_detectors::all()),
                                          testing::ValuesIn(all_serializations)));

TEST_P(random_mechanisms, are_as_if_the_transactions_ran_one_after_another) {
    random_transactions_setting setting;
    transaction_configuration& configuration = setting.configuration;
    std::tie(configuration.detection, configuration.serialization) = GetParam();
    if (configuration.detection.directory) setting.pass_cycles += tm_rig::directory_cycles;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        configuration.hashes = 1 + seed % 2;
        rig_machine machine(configuration);
        random_transactions transactions(machine, setting, {seed, "transactions"},
                                         [](const std::string& what) { ADD_FAILURE() << what; });
        for (unsigned steps = 0; !transactions.done() && !HasFailure(); ++steps) {
            (void)transactions.step();
            ASSERT_LT(steps, 20'000) << "no end in sight";
        }
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace heddle
