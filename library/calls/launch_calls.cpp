// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "library/calls/packed_arguments.h"
#include "models/device/device.h"
#include "models/device/program_table.h"
#include "models/program/image.h"

namespace {

using namespace heddle;
using namespace heddle::library;

/// y and z that were left out are 1.
dim3 size_of(const uint32_t (&given)[3]) {
    return {given[0], std::max(given[1], 1U), std::max(given[2], 1U)};
}

launch_shape shape_of(const heddle_shape& from) {
    launch_shape shape;
    shape.grid = size_of(from.grid);
    shape.block = size_of(from.block);
    shape.dynamic_shared_bytes = from.shared_bytes;
    shape.stream = stream_id(from.stream);
    shape.priority = from.priority;
    shape.cooperative = from.cooperative != 0;
    return shape;
}

}  // namespace

heddle_status heddle_launch(heddle_machine* machine, const char* kernel, const heddle_shape* shape,
                            const heddle_argument* arguments, size_t count) {
    return call(__func__, machine, [&](library::machine& m) {
        const program::kernel& found = m.programs().find_kernel(given_text(kernel, "kernel"));
        launch_shape wanted = shape_of(given_struct(shape, "shape", "heddle_shape"));
        if (count != 0) given(arguments, "arguments");
        const std::vector<std::byte> packed = packed_arguments(found, wanted, arguments, count);
        m.use([&](device& d) { d.launch(found, wanted, packed); });
    });
}

heddle_status heddle_times(heddle_machine* machine, uint32_t launch, heddle_launch_times* times) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_launch_times& into = given_struct(times, "times", "heddle_launch_times");
        launch_times found;
        m.use([&](device& d) { found = d.times(launch_number(launch)); });
        into.queued = found.queued.value_or(HEDDLE_NO_TIME);
        into.first_dispatch = found.first_dispatch.value_or(HEDDLE_NO_TIME);
        into.end = found.end.value_or(HEDDLE_NO_TIME);
    });
}

heddle_status heddle_create_stream(heddle_machine* machine, uint32_t* stream) {
    return call(__func__, machine, [&](library::machine& m) {
        given(stream, "stream");
        m.use([&](device& d) { *stream = d.create_stream().value(); });
    });
}

heddle_status heddle_record(heddle_machine* machine, uint32_t stream, uint32_t* event) {
    return call(__func__, machine, [&](library::machine& m) {
        given(event, "event");
        m.use([&](device& d) { *event = d.record(stream_id(stream)).value(); });
    });
}

heddle_status heddle_event_done(heddle_machine* machine, uint32_t event, int* done) {
    return call(__func__, machine, [&](library::machine& m) {
        given(done, "done");
        m.use([&](device& d) { *done = d.finished(event_id(event)) ? 1 : 0; });
    });
}
