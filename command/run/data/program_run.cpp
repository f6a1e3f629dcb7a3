// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/program_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "command/run/dimensions.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle::command {

namespace {

const program::kernel& choose_kernel(const program::image& image, const planned_launch& launch,
                                     bool is_script) {
    if (launch.kernel.empty() && image.kernels().size() == 1) return image.kernels().front();
    if (!launch.kernel.empty()) {
        try {
            return image.get_kernel(launch.kernel);
        } catch (const configuration_error& error) {
            throw configuration_error(launch.where + error.what());
        }
    }
    std::vector<std::string> names;
    for (const program::kernel& kernel : image.kernels()) names.push_back(kernel.name);
    throw configuration_error(
        fmt::format("{}{}: choose one of its kernels with {}: {}", launch.where, image.name(),
                    is_script ? "kernel = \"NAME\"" : "--kernel", joined(names)));
}

void check_argument_count(const program::kernel& kernel, const planned_launch& launch,
                          bool is_script) {
    if (launch.arguments.size() == kernel.parameters.size()) return;
    std::string list;
    for (const auto& p : kernel.parameters) list += fmt::format("\n  {} {}", p.type, p.name);
    throw configuration_error(fmt::format("{}kernel '{}' takes {} arguments, {} given{}{}",
                                          launch.where, kernel.name, kernel.parameters.size(),
                                          launch.arguments.size(),
                                          list.empty() ? ""
                                          : is_script  ? "; its parameters:"
                                                       : "; its parameters, one --arg each:",
                                          list));
}

void refuse_twice(const std::vector<planned_file>& files) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            if (files[i].buffer != files[other].buffer) continue;
            throw configuration_error(fmt::format("{}: '{}' is named before, by {}", files[i].where,
                                                  files[i].buffer, files[other].where));
        }
    }
}

}  // namespace

program_run::program_run(const launch_plan& plan, std::uint64_t seed)
    : seed_(seed), tolerance_(plan.tolerance.value_or(golden_tolerance{})) {
    image_ = std::make_shared<program::image>(program::image::load(plan.program));
    for (const planned_buffer& buffer : plan.buffers) {
        buffers_.add(buffer.name, buffer.definition.text, buffer.definition, plan.folder);
    }
    for (const planned_launch& launch : plan.launches) add_launch(plan, launch);
    for (const argument_buffer& buffer : buffers_.all()) {
        if (buffer.is_known) continue;
        throw configuration_error(buffer.asked.where + ": no launch uses this buffer");
    }
    refuse_twice(plan.saved);
    refuse_twice(plan.golden);
    for (const planned_file& file : plan.golden) {
        const std::size_t at = known_buffer(file);
        const argument_buffer& buffer = buffers_.all()[at];
        expected_.push_back(
            {at, file.file, read_array(file.file, buffer.values.layout, file.where)});
        const std::uint64_t count = expected_.back().values.count();
        if (count == buffer.count) continue;
        throw configuration_error(fmt::format("{}: {}: has {} values, the buffer {}", file.where,
                                              file.file.string(), count, buffer.count));
    }
    for (const planned_file& file : plan.saved) {
        const std::size_t at = known_buffer(file);
        check_writable(file.file, buffers_.all()[at].values.layout, file.where);
        saved_.push_back({at, std::make_unique<output_file>(file.file)});
    }
}

void program_run::add_launch(const launch_plan& plan, const planned_launch& launch) {
    const bool is_script = plan.naming == buffer_naming::by_name;
    const program::kernel& kernel = choose_kernel(*image_, launch, is_script);
    check_argument_count(kernel, launch, is_script);
    launch_shape shape;
    shape.grid = launch.grid;
    shape.block = launch.block;
    shape.dynamic_shared_bytes = launch.shared_bytes;
    shape.cooperative = launch.cooperative;
    shape.offset = launch.offset;
    launches_.push_back(
        {&kernel, shape, launch.stream,
         program_arguments(kernel, launch.arguments, plan.naming, plan.folder, buffers_)});
    const std::string grid = dimensions_text(launch.grid);
    const std::string block = dimensions_text(launch.block);
    if (!is_script) {
        facts_.insert(facts_.end(), {{"kernel", kernel.name}, {"grid", grid}, {"block", block}});
        if (launch.cooperative) facts_.emplace_back("launch", "cooperative");
        return;
    }
    facts_.emplace_back(
        fmt::format("launch {}", launches_.size()),
        fmt::format("{}, grid {}, block {}{}{}{}", kernel.name, grid, block,
                    launch.shared_bytes != 0 ? fmt::format(", shared {}", launch.shared_bytes) : "",
                    launch.stream != 0 ? fmt::format(", stream {}", launch.stream) : "",
                    launch.cooperative ? ", cooperative" : ""));
}

std::size_t program_run::known_buffer(const planned_file& file) const {
    const auto buffer = buffers_.find(file.buffer);
    if (!buffer) throw configuration_error(file.where + ": " + buffers_.missing(file.buffer));
    return *buffer;
}

void program_run::execute(device& target) {
    target.load(image_);
    buffers_.make(target, seed_);
    std::vector<stream_id> streams{stream_id(0)};
    for (made_launch& launch : launches_) {
        while (streams.size() <= launch.stream) streams.push_back(target.create_stream());
        launch_shape shape = launch.shape;
        shape.stream = streams[launch.stream];
        const auto packed = launch.arguments.pack(*launch.kernel, shape, buffers_);
        target.launch(*launch.kernel, shape, packed);
    }
    target.synchronize();
    read_results(target);
}

void program_run::read_results(device& target) {
    for (std::size_t i = 0; i < buffers_.all().size(); ++i) {
        const argument_buffer& buffer = buffers_.all()[i];
        const auto wanted = [&](const auto& list) {
            return std::find_if(list.begin(), list.end(),
                                [&](const auto& each) { return each.buffer == i; });
        };
        const auto saved = wanted(saved_);
        const auto expected = wanted(expected_);
        const bool whole = saved != saved_.end() || expected != expected_.end();
        array_values values{buffer.values.layout, buffer.values.descr, buffer.values.shape, {}};
        values.contents.resize(whole ? buffer.bytes() : buffer.previewed_bytes());
        target.read(values.contents.data(), buffer.address, values.contents.size());
        previews_.emplace_back(fmt::format("{} {}[{}]", buffer.name, buffer.type(), buffer.count),
                               buffer.preview(values.contents));
        if (expected != expected_.end()) compare(*expected, values.contents);
        if (saved == saved_.end()) continue;
        write_array(saved->file->stream(), saved->file->destination(), values);
        rows_.push_back({"saved " + buffer.name, std::to_string(buffer.count),
                         "values in " + saved->file->destination().string()});
    }
}

void program_run::compare(const expected_buffer& expected, const std::vector<std::byte>& contents) {
    const argument_buffer& buffer = buffers_.all()[expected.buffer];
    const golden_differences found =
        compare_values(buffer.values.layout, contents, expected.values.contents, tolerance_);
    rows_.push_back({"golden " + buffer.name, found.different == 0 ? "equal" : "DIFFERS",
                     fmt::format("{} values, {}", found.numbers, tolerance_.text())});
    if (found.different == 0 || difference_) return;
    // One of the two may be flat: a buffer without a file, a file without a header.
    const auto& shape = expected.values.shape.size() > buffer.values.shape.size()
                            ? expected.values.shape
                            : buffer.values.shape;
    difference_ = fmt::format(
        "{} of {} values of '{}' differ from {} ({}); the first is {}{}{}: found {}, expected {}",
        found.different, found.numbers, buffer.name, expected.file.string(), tolerance_.text(),
        buffer.name, index_text(found.first, shape), found.field, found.found, found.expected);
}

void program_run::save() {
    for (saved_buffer& each : saved_) each.file->commit();
}

}  // namespace heddle::command
