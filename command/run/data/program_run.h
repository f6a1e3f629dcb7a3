// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/run/data/launch_plan.h"
#include "command/run/device_run.h"
#include "models/base/output_file.h"
#include "models/program/image.h"

namespace heddle::command {

/// A run of a user's own kernels with the user's own data: the launches of a plan, in order.
class program_run {
public:
    /// Before the run: loads the program, reads all input files and opens what is saved. Throws
    /// configuration_error if anything of the plan is unusable.
    program_run(const launch_plan& plan, std::uint64_t seed);

    /// What is run, as name and value: kernel, grid, block.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& facts() const noexcept {
        return facts_;
    }

    /// The host program: makes the buffers, launches, waits, reads the results.
    void execute(device& target);

    /// After execute(): the first values of each buffer, by "name type[count]".
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& previews()
        const noexcept {
        return previews_;
    }
    [[nodiscard]] bool saves() const noexcept { return !saved_.empty(); }
    /// What the comparisons found, and what is saved.
    [[nodiscard]] const std::vector<summary_row>& rows() const noexcept { return rows_; }
    /// The first buffer that is not as expected.
    [[nodiscard]] const std::optional<std::string>& difference() const noexcept {
        return difference_;
    }
    /// After a run that ended well: completes the files. Throws configuration_error if one can't be
    /// written.
    void save();

private:
    struct made_launch {
        const program::kernel* kernel;
        launch_shape shape;
        std::uint32_t stream;
        program_arguments arguments;
    };
    struct saved_buffer {
        std::size_t buffer;
        std::unique_ptr<output_file> file;
    };
    struct expected_buffer {
        std::size_t buffer;
        std::filesystem::path file;
        array_values values;
    };

    void add_launch(const launch_plan& plan, const planned_launch& launch);
    std::size_t known_buffer(const planned_file& file) const;
    void read_results(device& target);
    void compare(const expected_buffer& expected, const std::vector<std::byte>& contents);

    std::uint64_t seed_;
    golden_tolerance tolerance_;
    std::shared_ptr<const program::image> image_;
    argument_buffers buffers_;
    std::vector<made_launch> launches_;
    std::vector<saved_buffer> saved_;
    std::vector<expected_buffer> expected_;
    std::vector<std::pair<std::string, std::string>> facts_;
    std::vector<std::pair<std::string, std::string>> previews_;
    std::vector<summary_row> rows_;
    std::optional<std::string> difference_;
};

}  // namespace heddle::command
