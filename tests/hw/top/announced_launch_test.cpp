// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Launches that hardware makes in the middle of a run: the lock-step check, the log of launches and
// blocks, the retire file and the statistics follow them as they follow the host's.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "hw/smx/smx_core.h"
#include "hw/top/gpu.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/lockstep_check.h"
#include "hw/top/observer_pair.h"
#include "hw/top/retire_file.h"
#include "hw/top/retire_stream.h"
#include "hw/top/simulation.h"
#include "hw/top/work_log.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const launch_id parent_id(1);
const launch_id child_id(sm_id(0), 1);

/// An SMX that launches: when the first block of launch 1 ends there, it launches the same kernel
/// again, with two blocks and the parent's parameters.
class launching_smx final : public execution_observer {
public:
    launching_smx(gpu& machine, bool announces) : machine_(machine), announces_(announces) {}

    void block_started(std::uint64_t, const protocol::block_dispatch&, std::uint64_t) override {}
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {
        if (!std::exchange(launched_, true)) launch();
    }
    void executed(const issued_instruction&, const register_file&) override {}
    void accessed(const issued_instruction&, const memory_instruction&) override {}
    void loaded(std::uint64_t, unsigned, issue_number, isa::lane_mask,
                const std::uint32_t*) override {}
    void completed(std::uint64_t, unsigned, issue_number, const register_file&) override {}
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}

private:
    void launch() {
        launch_table& launches = machine_.device().launches();
        prepared_launch child = *launches.find(parent_id);
        child.id = child_id;
        child.parent = parent_id;
        child.shape.grid = {2, 1, 1};
        pool_ptr<protocol::kernel_launch> payload = machine_.host_processor().launches().make();
        payload->carry(announces_ ? *launches.announce(child) : child);
        payload->queue = hwq_id(1);
        machine_.host_processor().submit(std::move(payload));
    }

    gpu& machine_;
    bool announces_;
    bool launched_ = false;
};

/// The tiny machine with one SMX, which launches; all that follows a run is attached to it.
class announced_launch : public testing::Test {
protected:
    explicit announced_launch(bool announces = true)
        : log(files / "blocks.csv"),
          lines(files / "retired.tsv"),
          retired({}, [this](const heddle_retired& one) { lines.write(one); }),
          configuration(configuration_of("tiny", {"gpu.smx_count=1", "smx.max_blocks=2"})),
          simulated(configuration, options()),
          check(simulated, configuration),
          smx(simulated.machine(), announces),
          checked(check.observer(0), smx),
          followed(retired.observer(0, configuration.machine.warp_size), checked) {
        observe_first_smx(simulated, followed);
    }
    /// The numbers that the blocks leave, in ascending order.
    std::vector<std::uint32_t> run() {
        std::vector<std::uint32_t> places;
        simulated.run(
            [&](device& gpu) {
                gpu.load(kernels_of("announced_launch"));
                const device_buffer<std::uint32_t> signed_in(gpu, 6, "places");
                const device_buffer<std::uint32_t> next(gpu, 1, "next");
                launch(gpu, "sign_in", {{4}, {64}}, signed_in.get(), next.get());
                places = signed_in.read();
            },
            {1'000'000});
        std::sort(places.begin(), places.end());
        return places;
    }
    gpu_options options() {
        gpu_options chosen;
        chosen.check_protocols = true;
        chosen.log = &log;
        return chosen;
    }
    [[nodiscard]] std::string contents(const std::string& file) const {
        std::ifstream stream(files / file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    const temporary_directory files;
    work_log log;
    retire_file lines;
    retire_stream retired;
    gpu_configuration configuration;
    simulation simulated;
    lockstep_check check;
    launching_smx smx;
    observer_pair checked, followed;
};

TEST_F(announced_launch, its_threads_read_its_own_number_and_the_check_follows) {
    EXPECT_THAT(run(), ElementsAre(0, 0, 0, 0, child_id.gridid(), child_id.gridid()));
    EXPECT_EQ(simulated.status().kind(), error_kind::none) << simulated.status().text();
    EXPECT_EQ(simulated.machine().device().launches().find(child_id), nullptr);
    EXPECT_EQ(simulated.machine().device().launches().find(parent_id), nullptr);
    EXPECT_EQ(check.counts().instructions,
              simulated.machine().smxs()[0]->core().counts().executed.warp_instructions);
}

TEST_F(announced_launch, log_retire_file_and_statistics_tell_of_it) {
    (void)run();
    log.finish();
    lines.finish();
    ASSERT_EQ(log.launches().size(), 2U);
    const launch_record& parent = log.launches()[0];
    const launch_record& child = log.launches()[1];
    EXPECT_EQ(parent.launch, parent_id);
    EXPECT_EQ(child.launch, child_id);
    EXPECT_TRUE(child.complete());
    EXPECT_GT(child.launched, *parent.first_start);
    EXPECT_GE(*child.first_dispatch, child.launched + configuration.kmu.dispatch_latency);
    EXPECT_THAT(log.launches_csv(), AllOf(HasSubstr("\n1,sign_in,host,4,1,1,64,1,1,"),
                                          HasSubstr("\n0.1,sign_in,device,2,1,1,64,1,1,")));
    EXPECT_THAT(contents("blocks.csv"), AllOf(HasSubstr("\n0.1,sign_in,0,0,0,0,0,"),
                                              HasSubstr("\n0.1,sign_in,1,1,0,0,0,")));
    EXPECT_THAT(contents("retired.tsv"), HasSubstr("\t0.1\t1\t0\t1\t"));
    statistics values;
    collect_gpu(simulated, configuration, values);
    log.collect(values);
    EXPECT_EQ(std::get<std::uint64_t>(values.find("kernel.sign_in.launches")->value), 2U);
    EXPECT_NE(values.find("launch.1.blocks"), nullptr);
    EXPECT_EQ(values.find("launch.0.1.blocks"), nullptr);  // only the host's have statistics
}

class hidden_launch : public announced_launch {
protected:
    hidden_launch() : announced_launch(false) {}
};

TEST_F(hidden_launch, check_and_log_report_its_first_block) {
    (void)run();
    EXPECT_EQ(simulated.status().kind(), error_kind::wrong_result);
    EXPECT_THAT(simulated.status().text(),
                HasSubstr("block 0 is of launch 0.1, which nobody has announced"));
    EXPECT_EQ(log.launches().size(), 1U);
}

}  // namespace
}  // namespace heddle
