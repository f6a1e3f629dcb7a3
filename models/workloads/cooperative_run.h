// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/parameter.h"
#include "models/device/device.h"
#include "models/workloads/report.h"
#include "models/workloads/software_scheduler.h"

namespace heddle::workloads {

/// Options of every workload with a cooperative kernel. An options struct derives from it.
struct cooperative_options {
    enum class kernel_kind { cooperative, original, software, flags };
    enum class task_kind { none, light, medium, heavy };
    enum class quantity { one, quarter, half, all_but_one };
    enum class size_kind { stand_in, measured };

    kernel_kind kernel = kernel_kind::cooperative;
    std::uint32_t blocks = 0;
    std::uint32_t block = 128;
    task_kind task = task_kind::none;
    quantity groups = quantity::quarter;
    size_kind task_size = size_kind::stand_in;
    double scale = 0.01;

    void declare(parameter_list& p);
};

/// What a display sees of its frames, in cycles.
struct display_times {
    std::uint64_t missed = 0;  ///< frames shown later than a period after they were due
    double period = 0;  ///< mean time of a frame, from when the first was due: at least the period
    double response = 0;  ///< mean time from launch to shown
};

/// Frames in the order of their launch, all 0 without any; `period` is that of the grid.
[[nodiscard]] display_times times_of(const std::vector<display_frame>& frames,
                                     std::uint64_t period);

/// Runs a kernel while a task that is not cooperative, the stand-in for a display, wants blocks at
/// fixed times: the experiment of Sorensen, Evrard, Donaldson, "Cooperative Kernels" (FSE 2017),
/// section 5.4. Period and deadline are the host's: the machine knows only a launch of priority 1.
/// A frame is due at each multiple of the period. One that is late delays the next but not the
/// grid, so a display that has time left catches up.
///
/// The task multiplies matrices. Its blocks share a fixed number of tiles, so that its time is
/// inverse to their number. The number of tiles follows from the time that a tile takes one block
/// alone, which a launch before the kernel measures: no size depends on the workload.
/// The kernel's program includes display_kernel.h.
///
/// The host looks a thousand times in a period whether something has ended; its times have that
/// grain.
class cooperative_run {
public:
    cooperative_run(device& gpu, const cooperative_options& options);
    cooperative_run(const cooperative_run&) = delete;
    cooperative_run& operator=(const cooperative_run&) = delete;

    /// Blocks that the kernel wants: N of the paper.
    [[nodiscard]] std::uint32_t blocks() const noexcept { return blocks_; }

    /// Runs kernel NAME_KIND with the words of its barrier, and the arguments. Returns when the
    /// kernel and the last frame have ended.
    template <class... Arguments>
    void run(const std::string& name, const Arguments&... arguments) {
        prepare_task();
        const device_ptr<std::uint32_t> arrivals = prepare_words();
        start_ = now();
        launch(gpu_, name + suffix(), shape(), arrivals, arguments...);
        follow(gpu_.record(stream_id(0)));
    }

    /// Time of the kernel, with the grain of the host's times.
    [[nodiscard]] std::uint64_t cycles() const { return *end_ - start_; }

    /// Compares what the task has computed, and adds rows of the kernel and of the task.
    void report(workload_report& report) const;

private:
    [[nodiscard]] std::uint64_t now() { return gpu_.wait_until(0); }
    [[nodiscard]] const char* suffix() const noexcept;
    [[nodiscard]] launch_shape shape() const noexcept;

    [[nodiscard]] bool in_software() const noexcept {
        return options_.kernel == cooperative_options::kernel_kind::software;
    }
    void prepare_task();
    [[nodiscard]] device_ptr<std::uint32_t> prepare_words();
    void launch_task(std::uint32_t groups, std::uint32_t tiles);
    [[nodiscard]] std::uint64_t time_of(std::uint32_t tiles);
    void follow(event_id kernel);
    void read_scheduler();
    void look(event_id kernel);
    void show_frame(event_id kernel, std::uint64_t due);
    void report_frames(workload_report& report) const;

    device& gpu_;
    const cooperative_options options_;
    const std::uint32_t blocks_;
    std::uint32_t groups_ = 0;  ///< blocks of the task
    std::uint64_t period_ = 0;  ///< cycles; 0: no task
    std::uint64_t alone_ = 0;   ///< cycles that one block is to take for a frame
    std::uint32_t tiles_ = 0;
    stream_id task_stream_;
    std::vector<float> left_, right_;
    std::optional<device_buffer<float>> device_left_, device_right_, product_;
    std::optional<device_buffer<std::uint32_t>> arrivals_;
    std::optional<software_scheduler> scheduler_;
    software_scheduler::record seen_;  ///< by the scheduler in software
    std::uint64_t start_ = 0;
    std::optional<std::uint64_t> end_;  ///< when the host saw the kernel's end
    std::vector<display_frame> frames_;
};

}  // namespace heddle::workloads
