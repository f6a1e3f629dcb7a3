// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/device/device.h"

namespace heddle::workloads {

/// The queues of a kernel that steals work, as work_queues_kernel.h has them in device memory.
/// A task is a struct of words.
template <class Task>
class work_queues {
    static_assert(sizeof(Task) % sizeof(std::uint32_t) == 0, "a task is made of words");

public:
    /// The kernel's parameter.
    struct view {
        device_ptr<std::uint32_t> headers;
        device_ptr<Task> tasks;
        device_ptr<std::uint32_t> unfinished;
        std::uint32_t count;
        std::uint32_t capacity;
    };

    /// Deals the first tasks out in turn. `capacity`: the most tasks that wait in one queue.
    work_queues(device& gpu, std::uint32_t queues, std::uint32_t capacity,
                const std::vector<Task>& first)
        : count_(queues),
          capacity_(std::max(1U, capacity)),
          headers_(gpu, dealt(queues, first), "queues"),
          tasks_(gpu, placed(queues, capacity_, first), "tasks"),
          unfinished_(gpu, std::vector<std::uint32_t>{static_cast<std::uint32_t>(first.size())},
                      "unfinished") {}

    [[nodiscard]] view get() const noexcept {
        return {headers_.get(), tasks_.get(), unfinished_.get(), count_, capacity_};
    }

private:
    static constexpr std::uint32_t header_words = 3;  // lock, oldest, newest

    static std::vector<std::uint32_t> dealt(std::uint32_t queues, const std::vector<Task>& first) {
        std::vector<std::uint32_t> headers(std::size_t{header_words} * queues);
        for (std::size_t i = 0; i < first.size(); ++i) ++headers[header_words * (i % queues) + 2];
        return headers;
    }
    static std::vector<Task> placed(std::uint32_t queues, std::uint32_t capacity,
                                    const std::vector<Task>& first) {
        std::vector<Task> tasks(std::size_t{queues} * capacity);
        for (std::size_t i = 0; i < first.size(); ++i) {
            tasks[i % queues * capacity + i / queues] = first[i];
        }
        return tasks;
    }

    std::uint32_t count_;
    std::uint32_t capacity_;
    device_buffer<std::uint32_t> headers_;
    device_buffer<Task> tasks_;
    device_buffer<std::uint32_t> unfinished_;
};

}  // namespace heddle::workloads
