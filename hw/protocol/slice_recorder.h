// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/protocol/trace_writer.h"

namespace heddle::protocol {

/// Slices of one track that are no transactions of a link: a block says when they begin and end. A
/// lane has one slice at a time; inner slices end before it.
class slice_recorder {
public:
    /// `name`, if not empty, is the category of the slices.
    slice_recorder(trace_writer& writer, const std::string& owner, std::string_view label,
                   std::string_view category);

    /// Now; `arguments` is the inside of a JSON object. `flow` ends here; 0: none.
    void begin(unsigned lane, std::string title, std::string arguments, std::uint64_t flow);
    /// Begins an inner slice of the slice of the lane; does nothing if there is one already.
    void begin_inner(unsigned lane, std::string_view title);
    void end_inner(unsigned lane);
    /// `more_arguments` follow those of begin(). Does nothing on a free lane.
    void end(unsigned lane, std::string_view more_arguments);
    /// Writes the slices under way, up to now.
    void finish();

private:
    struct open_slice {
        bool open = false, inner_open = false, named = false;
        std::string title, arguments;
        std::string inner_title;
        std::uint64_t begin_ps = 0, inner_begin_ps = 0;
        std::uint64_t flow = 0;
    };

    trace_writer& writer_;
    const unsigned track_;
    const std::string category_;
    std::vector<open_slice> lanes_;
};

}  // namespace heddle::protocol
