// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/library/library_kit.h"

#include "tb/kit/paths.h"

namespace heddle {

std::string kernels_of_test() {
    return build_path("kernels/library.elf");
}

heddle_options tiny(bool functional) {
    heddle_options options{};
    options.size = sizeof options;
    options.configuration = "tiny";
    options.functional = functional ? 1 : 0;
    return options;
}

heddle_shape shape_of(unsigned blocks, unsigned threads) {
    heddle_shape shape{};
    shape.size = sizeof shape;
    shape.grid[0] = blocks;
    shape.block[0] = threads;
    return shape;
}

machine_of_test::machine_of_test(heddle_options options, bool loaded) {
    EXPECT_GOOD(heddle_create(&options, &handle_), nullptr);
    if (loaded) load();
}

machine_of_test::~machine_of_test() {
    if (handle_ != nullptr) close();
}

void machine_of_test::load() const {
    EXPECT_GOOD(heddle_load(handle_, kernels_of_test().c_str()), handle_);
}

void machine_of_test::close() {
    EXPECT_GOOD(heddle_close(handle_), nullptr);
    handle_ = nullptr;
}

std::uint32_t machine_of_test::filled(const std::vector<std::uint32_t>& values) const {
    std::uint32_t address = 0;
    const std::size_t bytes = values.size() * sizeof values[0];
    EXPECT_GOOD(heddle_allocate(handle_, bytes, "values", &address), handle_);
    EXPECT_GOOD(heddle_write(handle_, address, values.data(), bytes), handle_);
    return address;
}

std::vector<std::uint32_t> machine_of_test::values(std::uint32_t address, std::size_t count) const {
    std::vector<std::uint32_t> result(count);
    EXPECT_GOOD(heddle_read(handle_, result.data(), address, count * sizeof result[0]), handle_);
    return result;
}

std::uint32_t machine_of_test::launch_add(unsigned n) const {
    const std::uint32_t a = filled(std::vector<std::uint32_t>(n, 1));
    const std::uint32_t b = filled(std::vector<std::uint32_t>(n, 2));
    const std::uint32_t sum = filled(std::vector<std::uint32_t>(n, 0));
    const heddle_shape shape = shape_of((n + 63) / 64, 64);
    const heddle_argument arguments[] = {heddle_pointer(a), heddle_pointer(b), heddle_pointer(sum),
                                         heddle_integer(n)};
    EXPECT_GOOD(heddle_launch(handle_, "add", &shape, arguments, 4), handle_);
    return sum;
}

void machine_of_test::expect_working() const {
    EXPECT_THAT(values(launch_add(100), 100), testing::Each(3U));
}

double machine_of_test::statistic(const std::string& name) const {
    heddle_statistic found{};
    found.size = sizeof found;
    EXPECT_GOOD(heddle_find_statistic(handle_, name.c_str(), &found), handle_);
    EXPECT_NE(found.measure, HEDDLE_UNMEASURED) << name;
    return found.value;
}

void expect_failure(heddle_status found, heddle_status expected, const heddle_machine* machine,
                    const std::string& text) {
    EXPECT_EQ(found, expected) << heddle_error_text(machine);
    EXPECT_THAT(heddle_error_text(machine), testing::HasSubstr(text));
}

}  // namespace heddle
