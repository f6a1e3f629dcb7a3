// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/cooperative_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/analytic/preemption.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "models/workloads/helpers.h"

namespace heddle::workloads {
namespace {

// Those of display_kernel.h.
constexpr std::uint32_t tile = 16;
constexpr std::uint32_t inner = 16;
constexpr std::uint32_t wide = 16;

constexpr double cycles_of_millisecond = 1e6;  // a core clock of 1 GHz
constexpr std::uint64_t looks = 1000;          // in a period

/// A class of rendering as the paper measured it, in milliseconds.
struct display_class {
    double period;
    double execution;  ///< of all blocks: E
    double alone;      ///< of one block, by the task that the paper ran
};

display_class class_of(cooperative_options::task_kind task) {
    // Only heavy's time of one block is known; the others have E's ratio to it.
    switch (task) {
        case cooperative_options::task_kind::light:
            return {70, 3, 282};
        case cooperative_options::task_kind::medium:
            return {40, 3, 282};
        case cooperative_options::task_kind::heavy:
            return {40, 10, 939};
        case cooperative_options::task_kind::none:
            break;
    }
    return {0, 0, 0};
}

std::uint32_t quantity_of(cooperative_options::quantity which, std::uint32_t blocks) {
    switch (which) {
        case cooperative_options::quantity::one:
            return 1;
        case cooperative_options::quantity::quarter:
            return std::max(1U, blocks / 4);
        case cooperative_options::quantity::half:
            return std::max(1U, blocks / 2);
        case cooperative_options::quantity::all_but_one:
            break;
    }
    return std::max(1U, blocks - 1);
}

std::vector<float> multiply(std::uint32_t tiles, const std::vector<float>& left,
                            const std::vector<float>& right) {
    constexpr std::uint32_t columns = wide * tile;
    std::vector<float> product(left.size() / inner * columns);
    for (std::uint32_t row = 0; row < left.size() / inner; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            if (row / tile * wide + column / tile >= tiles) continue;
            double sum = 0;
            for (std::uint32_t k = 0; k < inner; ++k) {
                sum += double{left[row * inner + k]} * right[k * columns + column];
            }
            product[row * columns + column] = static_cast<float>(sum);
        }
    }
    return product;
}

}  // namespace

display_times times_of(const std::vector<display_frame>& frames, std::uint64_t period) {
    display_times times;
    if (frames.empty()) return times;
    for (const display_frame& frame : frames) {
        times.missed += frame.shown > frame.due + period ? 1 : 0;
        times.response += static_cast<double>(frame.shown - frame.asked);
    }
    // The last frame holds its place to the end of its period.
    const display_frame& last = frames.back();
    const std::uint64_t end = std::max(last.shown, last.due + period);
    const auto count = static_cast<double>(frames.size());
    times.period = static_cast<double>(end - frames.front().due) / count;
    times.response /= count;
    return times;
}

void cooperative_options::declare(parameter_list& p) {
    p.add("kernel", kernel,
          {{"cooperative", kernel_kind::cooperative},
           {"original", kernel_kind::original},
           {"software", kernel_kind::software},
           {"flags", kernel_kind::flags}},
          "cooperative: blocks come and go; original: as the program was before, with a barrier in "
          "memory, all blocks on the machine at once; software: blocks come and go by words in "
          "memory, and one more block is the scheduler; flags: original with software's barrier");
    p.add("blocks", blocks, range(0, 1024), "block",
          "Blocks that the kernel wants; 0 = one for each SMX, without that of a scheduler in "
          "software");
    p.add("block", block, range(32, 1024), "thread", "Threads in a block");
    p.add(
        "task", task,
        {{"none", task_kind::none},
         {"light", task_kind::light},
         {"medium", task_kind::medium},
         {"heavy", task_kind::heavy}},
        "Launches while the kernel runs: every 70, 40 or 40 ms x scale a product of matrices that "
        "stands for the drawing of a display");
    p.add("groups", groups,
          {{"1", quantity::one},
           {"quarter", quantity::quarter},
           {"half", quantity::half},
           {"all_but_one", quantity::all_but_one}},
          "Blocks of the task, of the kernel's");
    p.add("task_size", task_size,
          {{"stand_in", size_kind::stand_in}, {"measured", size_kind::measured}},
          "Time of the task: stand_in = 282, 282 or 939 ms x scale on one block, as the paper ran "
          "it; measured = 3, 3 or 10 ms x scale on all blocks, as the paper measured displays");
    p.add("scale", scale, range(1e-6, 1.0), "",
          "Factor of all times of the task; 1 ms is 1,000,000 cycles");
}

cooperative_run::cooperative_run(device& gpu, const cooperative_options& options)
    : gpu_(gpu),
      options_(options),
      blocks_(options.blocks != 0 ? options.blocks
              : in_software()     ? std::max(2U, gpu.properties().smx_count) - 1
                                  : gpu.properties().smx_count),
      task_stream_(gpu.create_stream()) {
    const display_class task = class_of(options.task);
    const double unit = cycles_of_millisecond * options.scale;
    const bool measured = options.task_size == cooperative_options::size_kind::measured;
    groups_ = quantity_of(options.groups, blocks_);
    period_ = static_cast<std::uint64_t>(std::ceil(task.period * unit));
    alone_ = static_cast<std::uint64_t>(
        std::ceil((measured ? task.execution * blocks_ : task.alone) * unit));
}

const char* cooperative_run::suffix() const noexcept {
    switch (options_.kernel) {
        case cooperative_options::kernel_kind::cooperative:
            return "_cooperative";
        case cooperative_options::kernel_kind::original:
            return "_original";
        case cooperative_options::kernel_kind::software:
            return "_software";
        case cooperative_options::kernel_kind::flags:
            break;
    }
    return "_flags";
}

launch_shape cooperative_run::shape() const noexcept {
    launch_shape shape;
    shape.grid.x = blocks_ + (in_software() ? 1 : 0);
    shape.block.x = options_.block;
    shape.cooperative = options_.kernel == cooperative_options::kernel_kind::cooperative;
    return shape;
}

/// Words that start as 0, but for those of the scheduler in software.
device_ptr<std::uint32_t> cooperative_run::prepare_words() {
    if (!in_software()) {
        const bool flags = options_.kernel == cooperative_options::kernel_kind::flags;
        arrivals_.emplace(gpu_, flags ? blocks_ : 1, "arrivals");
        return arrivals_->get();
    }
    software_scheduler::display task;
    if (period_ != 0) {
        task = {static_cast<std::uint32_t>(period_),
                groups_,
                tiles_,
                device_left_->get(),
                device_right_->get(),
                product_->get()};
    }
    scheduler_.emplace(gpu_, blocks_, task);
    return scheduler_->words();
}

void cooperative_run::launch_task(std::uint32_t groups, std::uint32_t tiles) {
    launch_shape shape;
    shape.grid.x = groups;
    shape.block = {tile, tile};
    shape.stream = task_stream_;
    shape.priority = 1;
    if (in_software()) {
        shape.block.x = options_.block;
        shape.block.y = 1;
        const software_scheduler one(
            gpu_, 1, {1, 1, tiles, device_left_->get(), device_right_->get(), product_->get()});
        launch(gpu_, "display_worker", shape, one.words());
        gpu_.synchronize();
        return;
    }
    launch(gpu_, "display", shape, tiles, device_left_->get(), device_right_->get(),
           product_->get());
}

std::uint64_t cooperative_run::time_of(std::uint32_t tiles) {
    const std::uint64_t before = now();
    launch_task(1, tiles);
    gpu_.wait(gpu_.record(task_stream_));
    return now() - before;
}

void cooperative_run::prepare_task() {
    if (period_ == 0) return;
    constexpr std::uint32_t few = 4;
    constexpr std::uint32_t many = 12;
    right_ = random_floats({1, "display.right"}, std::size_t{inner} * wide * tile);
    device_right_.emplace(gpu_, right_, "display right");
    const auto make_rows = [this](std::uint32_t tiles) {
        const std::size_t rows = std::size_t{blocks_for(tiles, wide)} * tile;
        left_ = random_floats({1, "display.left"}, rows * inner);
        device_left_.reset();
        device_left_.emplace(gpu_, left_, "display left");
        product_.reset();
        product_.emplace(gpu_, rows * wide * tile, "display product");
    };
    make_rows(many);
    (void)time_of(many);  // warms the caches
    const std::uint64_t first = time_of(few);
    const double of_tile = static_cast<double>(time_of(many) - first) / (many - few);
    tiles_ = static_cast<std::uint32_t>(
        std::clamp(std::round(static_cast<double>(alone_) / of_tile), 1.0, 1e6));
    make_rows(tiles_);
}

/// Sees whether the kernel has ended.
void cooperative_run::look(event_id kernel) {
    if (!end_ && gpu_.finished(kernel)) end_ = now();
}

/// Launches a frame and waits for its end.
void cooperative_run::show_frame(event_id kernel, std::uint64_t due) {
    const std::uint64_t grain = std::max<std::uint64_t>(1, period_ / looks);
    display_frame frame{due, now(), 0};
    launch_task(groups_, tiles_);
    const event_id shown = gpu_.record(task_stream_);
    while (!gpu_.finished(shown)) {
        (void)gpu_.wait_until(now() + grain);
        look(kernel);
    }
    frame.shown = now();
    frames_.push_back(frame);
}

void cooperative_run::follow(event_id kernel) {
    if (in_software()) {
        gpu_.wait(kernel);
        return read_scheduler();
    }
    const std::uint64_t grain = std::max<std::uint64_t>(1, period_ / looks);
    for (std::uint64_t due = start_ + period_; period_ != 0 && !end_; due += period_) {
        while (!end_ && now() < due) {
            (void)gpu_.wait_until(std::min(now() + grain, due));
            look(kernel);
        }
        if (!end_) show_frame(kernel, due);
    }
    gpu_.wait(kernel);
    look(kernel);
}

/// Takes the times that the scheduler in software has written down.
void cooperative_run::read_scheduler() {
    seen_ = scheduler_->read();
    if (seen_.full) {
        throw configuration_error(fmt::format(
            "scale={}: a display with {} frames or more; the scheduler in software has room for "
            "fewer: choose a larger scale",
            options_.scale, software_scheduler::capacity));
    }
    end_ = start_ + (seen_.kernel_end - static_cast<std::uint32_t>(start_));
    frames_ = seen_.frames;
}

void cooperative_run::report_frames(workload_report& report) const {
    const display_times times = times_of(frames_, period_);
    const double unit = cycles_of_millisecond * options_.scale;
    report.add_row("scale of time", options_.scale);
    report.add_row("blocks of the task", std::uint64_t{groups_});
    report.add_row("task on one block", static_cast<double>(alone_) / unit, "ms");
    report.add_row("task on all blocks", static_cast<double>(alone_) / blocks_ / unit, "ms");
    report.add_row("measured display", class_of(options_.task).execution, "ms");
    report.add_row("frames", std::uint64_t{frames_.size()});
    report.add_row("missed deadlines", times.missed);
    report.add_row("period", static_cast<double>(period_) / unit, "ms");
    report.add_row("achieved period", times.period / unit, "ms");
    report.add_row("response", times.response / unit, "ms");
    if (in_software()) {
        report.add_row("gather time", seen_.gather_time / unit, "ms");
        report.add_row("blocks ended", std::uint64_t{seen_.kills});
        report.add_row("blocks started", std::uint64_t{seen_.forks});
    }
    const display_class task = class_of(options_.task);
    report.add_row("preemption model", analytic::preemption_slowdown(task.period, task.execution),
                   "times");
}

void cooperative_run::report(workload_report& report) const {
    report.add_row("blocks wanted", std::uint64_t{blocks_});
    report.add_row("kernel time", cycles(), "cycle");
    if (period_ == 0) return;
    if (!frames_.empty()) {
        report.compare("product of the task", product_->read(), multiply(tiles_, left_, right_),
                       inner * 0x1p-23);
    }
    report_frames(report);
}

}  // namespace heddle::workloads
