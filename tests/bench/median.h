// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

namespace heddle {

/// Runs `measure` five times, each in a fresh process, and returns the median.
inline double median(const std::function<double()>& measure) {
    std::vector<double> values;
    for (int run = 0; run < 5; ++run) {
        int channel[2];
        if (pipe(channel) != 0) {
            std::abort();
        }
        const pid_t child = fork();
        if (child == 0) {
            const double value = measure();
            const bool written = write(channel[1], &value, sizeof value) == sizeof value;
            _exit(written ? 0 : 1);
        }
        double value = 0;
        if (read(channel[0], &value, sizeof value) != sizeof value) {
            std::abort();
        }
        waitpid(child, nullptr, 0);
        close(channel[0]);
        close(channel[1]);
        values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace heddle
