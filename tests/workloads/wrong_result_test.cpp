// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Every workload notices a wrong bit in its result.
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "models/base/error.h"
#include "tests/workloads/workload_fixture.h"

namespace heddle::workloads {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Passes everything on, but inverts a bit of the last word of reads of at least `bytes` bytes.
class corrupting_device : public device {
public:
    corrupting_device(device& target, std::size_t bytes) : target_(target), bytes_(bytes) {}

    const device_properties& properties() const noexcept override { return target_.properties(); }
    program_id load(std::shared_ptr<const program::image> image) override {
        return target_.load(std::move(image));
    }
    void unload(program_id program) override { target_.unload(program); }
    program::program_place free_place(const program::program_extent& of) const override {
        return target_.free_place(of);
    }
    const program_table& programs() const noexcept override { return target_.programs(); }
    device_address allocate(std::uint64_t bytes, std::string_view name) override {
        return target_.allocate(bytes, name);
    }
    void release(device_address address) override { target_.release(address); }
    void write(device_address to, const void* from, std::size_t bytes) override {
        target_.write(to, from, bytes);
    }
    void read(void* to, device_address from, std::size_t bytes) override {
        target_.read(to, from, bytes);
        // The second highest bit: large in a float, too.
        if (bytes >= bytes_) static_cast<unsigned char*>(to)[bytes - 1] ^= 0x40;
    }
    void fill(device_address to, std::uint8_t value, std::size_t bytes) override {
        target_.fill(to, value, bytes);
    }
    launch_number launch(const program::kernel& kernel, const launch_shape& shape,
                         const std::vector<std::byte>& parameters) override {
        return target_.launch(kernel, shape, parameters);
    }
    launch_times times(launch_number launch) const override { return target_.times(launch); }
    stream_id create_stream() override { return target_.create_stream(); }
    event_id record(stream_id stream) override { return target_.record(stream); }
    void wait(event_id event) override { target_.wait(event); }
    bool finished(event_id event) override { return target_.finished(event); }
    std::uint64_t wait_until(std::uint64_t cycle) override { return target_.wait_until(cycle); }
    void print_to(std::function<void(std::string_view)> sink) override {
        target_.print_to(std::move(sink));
    }
    void synchronize() override { target_.synchronize(); }
    std::optional<std::uint64_t> clock() const override { return target_.clock(); }

private:
    device& target_;
    std::size_t bytes_;
};

class corrupted_run : public testing::TestWithParam<run_case> {};

TEST_P(corrupted_run, is_a_wrong_result) {
    const auto& one = GetParam();
    const auto gpu = make_device(32);
    // The one word that graph workloads read in every round is not a result, nor are the counts of
    // join, which are half as many as its pairs here.
    static const std::map<std::string, std::size_t> results{
        {"amr", 8}, {"bfs", 8}, {"bfs_pockets", 8}, {"clr", 8}, {"sssp", 8}, {"join", 64}};
    const auto found = results.find(one.workload);
    corrupting_device corrupting(*gpu, found == results.end() ? 4 : found->second);
    const auto report = run_on(corrupting, one.workload, one.values, 1, one.input);
    EXPECT_FALSE(report.correct());
    for (const auto& check : report.checks()) {
        if (check.passed()) continue;  // another result of the same run
        EXPECT_THAT(check.difference,
                    AllOf(HasSubstr("index "), HasSubstr("found "), HasSubstr("expected ")))
            << check.what;
    }
    EXPECT_THROW(report.require_correct(one.workload), run_error);
}

INSTANTIATE_TEST_SUITE_P(
    all, corrupted_run,
    testing::Values(
        run_case{"bitonic", {{"size", "32"}, {"arrays", "1"}}},
        run_case{"black", {{"options", "40"}}}, run_case{"contrived", {{"n", "40"}}},
        run_case{"fft", {{"side", "4"}, {"arrays", "1"}}}, run_case{"hmmer", {{"sequences", "9"}}},
        run_case{"lbm", {{"nx", "5"}, {"ny", "5"}, {"nz", "4"}}},
        run_case{"ledgers", {{"books", "9"}}}, run_case{"lu", {{"tiles", "3"}, {"matrices", "1"}}},
        run_case{"saxpy", {{"n", "40"}}}, run_case{"atax", {{"rows", "5"}, {"columns", "7"}}},
        run_case{"bicg", {{"rows", "5"}, {"columns", "7"}}},
        run_case{"laplace", {{"nx", "5"}, {"ny", "5"}, {"nz", "4"}}},
        run_case{"lps", {{"nx", "5"}, {"ny", "5"}, {"nz", "4"}}},
        run_case{"montecarlo", {{"options", "4"}, {"paths", "64"}}},
        run_case{"mvt", {{"rows", "5"}, {"columns", "7"}}},
        run_case{"pathfinder", {{"columns", "40"}, {"rows", "6"}}},
        run_case{"sobolqrng", {{"points", "40"}, {"dimensions", "2"}}},
        run_case{"stencil", {{"nx", "5"}, {"ny", "5"}, {"nz", "4"}}},
        run_case{"matrix", {{"rows", "5"}, {"columns", "5"}, {"inner", "5"}}},
        run_case{"reduction", {{"n", "40"}}},
        run_case{"reduction", {{"n", "40"}, {"type", "float"}}},
        run_case{"histogram", {{"n", "40"}}},
        run_case{"latency", {{"rounds", "1"}, {"footprint", "512"}}},
        run_case{"latency", {{"rounds", "1"}, {"variant", "shared"}}},
        run_case{"latency", {{"rounds", "1"}, {"variant", "coalescing"}}},
        run_case{"bandwidth", {{"size", "512"}}},
        run_case{"bandwidth", {{"variant", "read"}, {"size", "512"}}},
        run_case{"bandwidth", {{"variant", "write"}, {"size", "512"}}},
        run_case{"barrier", {{"rounds", "1"}}}, run_case{"throughput", {{"rounds", "1"}}},
        run_case{"throughput", {{"variant", "l1"}, {"rounds", "1"}}},
        run_case{"throughput", {{"variant", "shared"}, {"rounds", "1"}}},
        run_case{"throughput", {{"variant", "atomics"}, {"rounds", "1"}}},
        run_case{"latency", {{"rounds", "1"}, {"variant", "private"}}},
        run_case{"latency", {{"rounds", "1"}, {"variant", "constant"}}},
        run_case{"launch", {{"blocks", "2"}}},
        run_case{"transpose", {{"rows", "5"}, {"columns", "5"}}},
        run_case{"compute", {{"n", "40"}, {"rounds", "2"}}}, run_case{"divergence", {{"n", "40"}}},
        run_case{"audit", {{"block", "20"}, {"blocks", "1"}}}, run_case{"lock", {{"n", "40"}}},
        run_case{"ht", {{"block", "20"}, {"blocks", "1"}}},
        run_case{"it", {{"block", "20"}, {"blocks", "1"}}},
        run_case{"gc", {{"block", "20"}, {"blocks", "1"}}},
        run_case{"km", {{"block", "20"}, {"blocks", "1"}}},
        run_case{"bfs", {}, "kronecker:scale=5,degree=4"},
        run_case{"bfs_pockets", {}, "kronecker:scale=5,degree=4"},
        run_case{"amr", {{"across", "2"}, {"levels", "1"}}}, run_case{"bht", {{"bodies", "20"}}},
        run_case{"children", {{"launches", "9"}}},
        run_case{"clr", {}, "kronecker:scale=5,degree=4"},
        run_case{"join", {{"left", "8"}, {"right", "2"}, {"different", "1"}}},
        run_case{"pre", {}, "ratings:users=9,items=20,mean=5,least=2"},
        run_case{"regx", {}, "strings:count=9"}, run_case{"sssp", {}, "kronecker:scale=5,degree=4"},
        run_case{"color", {}, "circuit:vertices=40"}, run_case{"mis", {}, "circuit:vertices=40"},
        run_case{"p_sssp", {}, "road:width=5,height=5"},
        run_case{"l_bfs", {}, "road:width=5,height=5"},
        run_case{"l_sssp", {}, "road:width=5,height=5"}, run_case{"octree", {{"points", "200"}}},
        run_case{"octree_pockets", {{"points", "200"}}}, run_case{"game", {{"plies", "4"}}},
        run_case{"uts", {{"roots", "4"}}}));

}  // namespace
}  // namespace heddle::workloads
