// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "include/heddle/lockstep.h"
#include "tests/library/library_kit.h"

namespace heddle {

using records = std::vector<heddle_retired>;

inline bool is_store(const heddle_retired& r) {
    return r.kind == HEDDLE_STEP && r.access == HEDDLE_STORE;
}
inline bool is_load(const heddle_retired& r) {
    return r.kind == HEDDLE_STEP && r.access == HEDDLE_LOAD;
}
inline bool is_data(const heddle_retired& r) {
    return r.kind == HEDDLE_DATA;
}
inline bool is_drained(const heddle_retired& r) {
    return r.kind == HEDDLE_DRAINED;
}

inline heddle_lockstep_options tells_drained() {
    heddle_lockstep_options options{};
    options.tells_drained = 1;
    return options;
}

/// A core that is known: what a timed machine of `tiny` retires of one launch, in parts. Tests
/// change the records, and tell them to a machine in lock-step.
class known_core {
public:
    /// `kernel` has one parameter, a buffer of 64 words that are 0.
    known_core(const std::string& kernel, unsigned blocks, unsigned threads, bool faults = false);

    records told;

    /// Those of a warp of block 0 in which `wanted` holds, of which there must be one at least.
    [[nodiscard]] std::vector<heddle_retired*> of(
        unsigned warp, const std::function<bool(const heddle_retired&)>& wanted);
};

/// A machine in lock-step that has the same launch.
class lockstep_of_test {
public:
    lockstep_of_test(const std::string& kernel, unsigned blocks, unsigned threads,
                     heddle_lockstep_options options = {});
    ~lockstep_of_test();
    lockstep_of_test(const lockstep_of_test&) = delete;
    lockstep_of_test& operator=(const lockstep_of_test&) = delete;

    /// NOLINTNEXTLINE(google-explicit-constructor): it stands where a handle stands
    operator heddle_machine*() const { return handle_; }
    /// The status of the first record that is not HEDDLE_OK.
    heddle_status tell(const records& of_core) const;
    void expect_accepted(const records& of_core) const;
    [[nodiscard]] heddle_difference difference() const;
    [[nodiscard]] std::uint32_t buffer() const noexcept { return buffer_; }

private:
    heddle_machine* handle_ = nullptr;
    std::uint32_t buffer_ = 0;
};

}  // namespace heddle
