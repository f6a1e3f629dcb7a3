// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <memory>
#include <set>

#include "runtime/cuda/library/error.h"
#include "runtime/cuda/library/stream.h"

namespace heddle::cuda {

using stream_ptr = std::shared_ptr<CUstream_st>;

/// The streams of a device: the default one and those that the program has made.
class stream_table {
public:
    stream_table() { default_->number = 0; }  // it is on the device from the start

    [[nodiscard]] const stream_ptr& default_stream() const noexcept { return default_; }
    /// A stream of the program's; its handle.
    cudaStream_t add(unsigned flags, int priority);
    /// Throws error(cudaErrorInvalidResourceHandle).
    [[nodiscard]] stream_ptr find(cudaStream_t handle) const;
    /// Later commands of the default stream wait for what is left of it.
    void remove(const stream_ptr& gone);
    /// A number of a stream that is gone; none: the device has to make another.
    [[nodiscard]] std::optional<std::uint32_t> take_free_number();
    /// What has to have ended before something in this stream begins.
    [[nodiscard]] launch_set before(const CUstream_st& in) const;

private:
    stream_ptr default_ = std::make_shared<CUstream_st>();
    std::map<cudaStream_t, stream_ptr> streams_;
    std::uint64_t made_ = 0;
    std::set<std::uint32_t> free_numbers_;
};

}  // namespace heddle::cuda
