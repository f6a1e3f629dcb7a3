// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fstream>
#include <numeric>

#include "tb/kit/paths.h"
#include "tests/iss/fixture.h"

namespace heddle::iss {
namespace {

using testing::Each;
using testing::HasSubstr;

using words = std::vector<std::uint32_t>;

machine_configuration transactional(unsigned warp_size = 32) {
    machine_configuration machine = small_machine(warp_size);
    machine.tm.enabled = true;
    return machine;
}

/// "transaction_kernel.cpp:N" of the line that carries the mark.
std::string marked_line(const std::string& mark) {
    std::ifstream source(source_path("tests/iss/kernels/transaction_kernel.cpp"));
    std::string line;
    for (unsigned number = 1; std::getline(source, line); ++number) {
        if (line.find("// mark: " + mark) != std::string::npos) {
            return "transaction_kernel.cpp:" + std::to_string(number) + " ";
        }
    }
    ADD_FAILURE() << "no line is marked " << mark;
    return "";
}

/// A block of one kernel over `values`, which it changes.
words run(const std::string& kernel, const words& values,
          const machine_configuration& machine = transactional()) {
    const auto gpu = make_simulator("iss_transaction", machine);
    const device_buffer<std::uint32_t> buffer(*gpu, values, "values");
    launch(*gpu, kernel, {{1}, {static_cast<std::uint32_t>(values.size())}}, buffer.get());
    return buffer.read();
}

std::string fault(const std::string& kernel, unsigned threads = 32) {
    machine_configuration machine = transactional();
    machine.launch.enabled = true;
    const auto gpu = make_simulator("iss_transaction", machine);
    const run_error error = error_of([&] {
        launch(*gpu, kernel, {{1}, {threads}});
        gpu->synchronize();
    });
    EXPECT_EQ(error.kind(), error_kind::kernel_fault) << error.what();
    return error.what();
}

TEST(iss_transaction, lanes_run_one_after_another) {
    EXPECT_EQ(run("neighbours", {10, 20, 30, 40}), (words{12, 11, 32, 31}));
}

TEST(iss_transaction, the_lowest_lane_is_first) {
    for (const unsigned warp_size : {8u, 32u, 64u}) {
        words expected(warp_size);
        std::iota(expected.begin(), expected.end(), 0u);
        EXPECT_EQ(run("take_numbers", words(warp_size), transactional(warp_size)), expected);
    }
}

TEST(iss_transaction, control_flow_inside) {
    words values(70);
    std::iota(values.begin(), values.end(), 100u);
    words expected = values;
    const auto mixed = [](std::uint32_t x) { return x % 3 == 0 ? x * 5 : x + 7; };
    for (std::uint32_t i = 1; i < values.size(); i += 2) {
        for (std::uint32_t k = 0; k < i % 5; ++k) expected[i - 1] += mixed(expected[i] + k);
    }
    EXPECT_EQ(run("control_flow", values), expected);
}

TEST(iss_transaction, no_other_warp_comes_in_between) {
    machine_configuration machine = transactional();
    machine.iss.quantum = 1;
    const auto gpu = make_simulator("iss_transaction", machine);
    const device_buffer<std::uint32_t> differences(*gpu, 96, "differences");
    launch(*gpu, "kept_equal", {{1}, {96}}, 5u, differences.get());
    EXPECT_THAT(differences.read(), Each(0u));
}

/// A transaction makes a turn of its warp longer; the turn ends with it.
TEST(iss_transaction, the_next_warp_goes_on_after_a_long_one) {
    machine_configuration machine = transactional();
    machine.iss.quantum = 16;
    const auto gpu = make_simulator("iss_transaction", machine);
    const device_buffer<std::uint32_t> next(*gpu, 1, "next");
    const device_buffer<std::uint32_t> order(*gpu, 2, "order");
    launch(*gpu, "long_transaction", {{1}, {64}}, next.get(), order.get());
    EXPECT_EQ(order.read(), (words{1, 0}));
}

TEST(iss_transaction, what_a_transaction_may_not_do) {
    const auto gpu = make_simulator("iss_transaction", transactional());
    const device_buffer<std::uint32_t> out(*gpu, 32, "out");
    const run_error store = error_of([&] {
        launch(*gpu, "global_store", {{1}, {32}}, out.get());
        gpu->synchronize();
    });
    EXPECT_THAT(store.what(), HasSubstr("a store to global memory has no place there"));
    EXPECT_THAT(store.what(), HasSubstr(marked_line("global_store")));
    const std::pair<const char*, const char*> rows[] = {
        {"atomic", "inside a transaction: an atomic has no place there"},
        {"barrier", "'barrier' inside a transaction: a barrier has no place there"},
        {"ends_inside", "'exit' inside a transaction: the end of a thread"},
        {"nested", "'tx.begin' inside a transaction: another transaction"},
        {"launches", "'launch.sync' inside a transaction: a launch"},
        {"offers", "'coop.offer_kill' inside a transaction"},
        {"commit_in_callee", "'tx.commit' at another depth of branches or calls"},
        {"commit_alone", "'tx.commit' outside of a transaction"}};
    for (const auto& [kernel, text] : rows) {
        const std::string message = fault(kernel);
        EXPECT_THAT(message, HasSubstr(text));
        EXPECT_THAT(message, HasSubstr(marked_line(kernel)));
    }
    EXPECT_THAT(fault("begin_in_callee"), HasSubstr("in which 'tx.begin' stands ends before its"));
    EXPECT_THAT(fault("two_commits"), HasSubstr("'tx.commit' at another depth"));
    EXPECT_THAT(fault("barrier", 257), HasSubstr("257 threads per block; the limit is 256"));
}

TEST(iss_transaction, one_without_an_end_is_no_progress) {
    const auto gpu = make_simulator("iss_transaction", transactional());
    const run_error error = error_of([&] {
        launch(*gpu, "endless", {{1}, {32}});
        gpu->synchronize();
    });
    EXPECT_EQ(error.kind(), error_kind::no_progress);
    EXPECT_THAT(error.what(), HasSubstr("instructions of the warp without the end of its "
                                        "transaction"));
    EXPECT_THAT(error.what(), HasSubstr("kernel 'endless', block (0,0,0), thread (0,0,0)"));
}

TEST(iss_transaction, needs_a_machine_with_transactional_memory) {
    const auto gpu = make_simulator("iss_transaction", small_machine());
    const run_error error = error_of([&] { launch(*gpu, "barrier", {{1}, {32}}); });
    EXPECT_EQ(error.kind(), error_kind::kernel_fault);
    EXPECT_THAT(error.what(), HasSubstr("this machine has no transactional memory (tm.enabled)"));
}

}  // namespace
}  // namespace heddle::iss
