// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/slice_recorder.h"

#include <utility>

#include "hw/base/present.h"

namespace heddle::protocol {

namespace {

std::uint64_t now_ps() {
    return picoseconds(present::time());
}

}  // namespace

slice_recorder::slice_recorder(trace_writer& writer, const std::string& owner,
                               std::string_view label, std::string_view category)
    : writer_(writer), track_(writer.add_track(owner, label)), category_(category) {}

void slice_recorder::begin(unsigned lane, std::string title, std::string arguments,
                           std::uint64_t flow) {
    if (lane >= lanes_.size()) {
        lanes_.resize(lane + 1);
    }
    open_slice& slice = lanes_[lane];
    if (!slice.named) {
        writer_.add_lane(track_, lane);
        slice.named = true;
    }
    slice.open = true;
    slice.title = std::move(title);
    slice.arguments = std::move(arguments);
    slice.begin_ps = now_ps();
    slice.flow = flow;
}

void slice_recorder::begin_inner(unsigned lane, std::string_view title) {
    open_slice& slice = lanes_[lane];
    if (slice.inner_open) {
        return;
    }
    slice.inner_open = true;
    slice.inner_title = title;
    slice.inner_begin_ps = now_ps();
}

void slice_recorder::end_inner(unsigned lane) {
    open_slice& slice = lanes_[lane];
    if (!slice.inner_open) {
        return;
    }
    slice.inner_open = false;
    writer_.write(
        {track_, lane, slice.inner_title, {}, {}, slice.inner_begin_ps, now_ps(), 0, false});
}

void slice_recorder::end(unsigned lane, std::string_view more_arguments) {
    open_slice& slice = lanes_[lane];
    if (!slice.open) {
        return;
    }
    end_inner(lane);
    slice.open = false;
    slice.arguments += more_arguments;
    writer_.write({track_, lane, slice.title, category_, slice.arguments, slice.begin_ps, now_ps(),
                   slice.flow, false});
}

void slice_recorder::finish() {
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
        end(lane, {});
    }
}

}  // namespace heddle::protocol
