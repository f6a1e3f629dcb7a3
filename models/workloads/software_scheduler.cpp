// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/software_scheduler.h"

#include <array>
#include <cstring>

namespace heddle::workloads {
namespace {

// Those of software_scheduler_kernel.h.
struct scheduler_context {
    std::uint32_t groups, wanted, offered, lock, ended, available, drawn, ranked, kills, forks;
    std::array<std::uint32_t, 6> unused;
    std::array<std::uint32_t, 16> state;
    std::uint32_t period, share, tiles, frames, capacity, kernel_end;
    device_ptr<float> a, b, c;
    device_ptr<std::uint32_t> frame, arrived, job;
};
constexpr std::uint32_t begins = 1;
constexpr std::uint32_t words_of_frame = 4;

constexpr std::size_t context_words = sizeof(scheduler_context) / sizeof(std::uint32_t);

}  // namespace

software_scheduler::software_scheduler(device& gpu, std::uint32_t workers, const display& task)
    : arrived_(gpu, workers, "flags of the barrier"),
      jobs_(gpu, std::vector<std::uint32_t>(workers, begins), "jobs of the workers"),
      words_(gpu, context_words, "words of the scheduler") {
    scheduler_context context{};
    context.groups = workers;
    context.period = task.period;
    context.share = task.share;
    context.tiles = task.tiles;
    context.a = task.a;
    context.b = task.b;
    context.c = task.c;
    if (task.period != 0) {
        frames_.emplace(gpu, std::size_t{capacity} * words_of_frame, "times of frames");
        context.frame = frames_->get();
        context.capacity = capacity;
    }
    context.arrived = arrived_.get();
    context.job = jobs_.get();
    std::vector<std::uint32_t> words(context_words);
    std::memcpy(words.data(), static_cast<const void*>(&context), sizeof context);
    words_.write(words);
}

software_scheduler::record software_scheduler::read() const {
    scheduler_context context{};
    const std::vector<std::uint32_t> words = words_.read();
    std::memcpy(static_cast<void*>(&context), words.data(), sizeof context);
    record found;
    found.kernel_end = context.kernel_end;
    found.kills = context.kills;
    found.forks = context.forks;
    if (!frames_) return found;
    found.full = context.frames == context.capacity;
    const std::vector<std::uint32_t> times = frames_->read();
    for (std::uint32_t i = 0; i < context.frames; ++i) {
        const std::uint32_t* const frame = &times[std::size_t{i} * words_of_frame];
        found.frames.push_back({frame[0], frame[1], frame[3]});
        found.gather_time += static_cast<double>(frame[2] - frame[1]) / context.frames;
    }
    return found;
}

}  // namespace heddle::workloads
