// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/library/lockstep_kit.h"

#include "tb/kit/paths.h"

namespace heddle {
namespace {

std::string kernels() {
    return build_path("kernels/lockstep.elf");
}

std::uint32_t launch_one(heddle_machine* machine, const std::string& kernel, unsigned blocks,
                         unsigned threads) {
    std::uint32_t buffer = 0;
    EXPECT_GOOD(heddle_allocate(machine, 256, "words", &buffer), machine);
    const heddle_shape shape = shape_of(blocks, threads);
    const heddle_argument argument = heddle_pointer(buffer);
    EXPECT_GOOD(heddle_launch(machine, kernel.c_str(), &shape, &argument, 1), machine);
    return buffer;
}

}  // namespace

known_core::known_core(const std::string& kernel, unsigned blocks, unsigned threads, bool faults) {
    machine_of_test machine(tiny(), /*loaded=*/false);
    EXPECT_GOOD(heddle_keep_retired_parts(machine), machine);
    EXPECT_GOOD(heddle_load(machine, kernels().c_str()), machine);
    (void)launch_one(machine, kernel, blocks, threads);
    for (std::size_t count = 1; count != 0;) {
        records some(64);
        some[0].size = sizeof some[0];
        const heddle_status status = heddle_next_retired(machine, some.data(), some.size(), &count);
        EXPECT_EQ(status, count == 0 && faults ? HEDDLE_KERNEL_FAULT : HEDDLE_OK);
        told.insert(told.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    }
}

std::vector<heddle_retired*> known_core::of(
    unsigned warp, const std::function<bool(const heddle_retired&)>& wanted) {
    std::vector<heddle_retired*> found;
    for (heddle_retired& r : told) {
        if (r.block == 0 && r.warp == warp && wanted(r)) found.push_back(&r);
    }
    EXPECT_FALSE(found.empty());
    return found;
}

lockstep_of_test::lockstep_of_test(const std::string& kernel, unsigned blocks, unsigned threads,
                                   heddle_lockstep_options options) {
    const heddle_options machine = tiny();
    options.size = sizeof options;
    EXPECT_GOOD(heddle_lockstep_create(&machine, &options, &handle_), nullptr);
    EXPECT_GOOD(heddle_load(handle_, kernels().c_str()), handle_);
    buffer_ = launch_one(handle_, kernel, blocks, threads);
}

lockstep_of_test::~lockstep_of_test() {
    EXPECT_GOOD(heddle_close(handle_), nullptr);
}

heddle_status lockstep_of_test::tell(const records& of_core) const {
    return heddle_lockstep_step(handle_, of_core.data(), of_core.size(), nullptr);
}

void lockstep_of_test::expect_accepted(const records& of_core) const {
    EXPECT_GOOD(tell(of_core), handle_);
    EXPECT_GOOD(heddle_lockstep_finish(handle_), handle_);
    EXPECT_EQ(difference().status, HEDDLE_OK);
}

heddle_difference lockstep_of_test::difference() const {
    heddle_difference found{};
    found.size = sizeof found;
    EXPECT_GOOD(heddle_lockstep_difference(handle_, &found), handle_);
    return found;
}

}  // namespace heddle
