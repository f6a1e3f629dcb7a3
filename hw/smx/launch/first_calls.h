// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <unordered_map>

namespace heddle {

/// When the first call of a launch was issued: that of the stream that it is the first to use, or
/// that of its buffer. Waiting time starts there.
class first_calls {
public:
    void stream_created(std::uint32_t stream, const sc_core::sc_time& at) { streams_[stream] = at; }
    void buffer_allocated(std::uint32_t buffer, const sc_core::sc_time& at) {
        buffers_[buffer] = at;
    }

    /// The first call of the launch of a buffer; forgets it. `now` if nothing is known.
    sc_core::sc_time take(std::uint32_t buffer, std::uint32_t stream, const sc_core::sc_time& now) {
        return std::min(take(buffers_, buffer, now), take(streams_, stream, now));
    }

private:
    using times = std::unordered_map<std::uint32_t, sc_core::sc_time>;
    static sc_core::sc_time take(times& from, std::uint32_t key,
                                 const sc_core::sc_time& otherwise) {
        const auto found = from.find(key);
        if (found == from.end()) return otherwise;
        const sc_core::sc_time at = found->second;
        from.erase(found);
        return at;
    }

    times streams_;
    times buffers_;
};

}  // namespace heddle
