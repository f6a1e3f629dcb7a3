// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command/run/device_run.h"
#include "hw/base/slot_trace_file.h"
#include "hw/base/waveform.h"
#include "hw/protocol/link_trace.h"
#include "hw/protocol/timeline_recorder.h"
#include "hw/top/slot_internals_file.h"
#include "models/base/output_file.h"

namespace heddle::command {

/// What a timed run writes for viewers: a waveform (VCD, FST) with a GTKWave save file FILE.gtkw
/// and the names of its states FILE.names beside it, and a timeline (Chrome/Perfetto JSON); for RTL
/// simulators: the ports of a slot, the signals inside of its RTL, and the messages of links. Equal
/// runs give equal bytes.
///
/// The files appear in finish(), whole, also after a run that broke off. Without it (wrong input)
/// none appears.
class trace_files {
public:
    /// Throws configuration_error if a file can't be written, or for cycles that make no sense.
    trace_files(const trace_options& options, const gpu_configuration& configuration);

    /// For the netlist; null if not wanted.
    [[nodiscard]] waveform* waves() const noexcept { return waves_.get(); }
    [[nodiscard]] protocol::trace_writer* timeline() const noexcept { return timeline_.get(); }

    [[nodiscard]] protocol::link_trace* messages() const noexcept { return messages_.get(); }
    [[nodiscard]] slot_internals* slot_signals() const noexcept { return slot_signals_.get(); }
    [[nodiscard]] slot_trace* slot_ports() const noexcept { return slot_ports_.get(); }

    /// With the netlist built: throws configuration_error for a scope that selects nothing, or for
    /// a file in which there would be nothing.
    void check_scopes() const;
    /// After simulation::run(): whether the cycles to be shown lay behind its end.
    [[nodiscard]] bool came_too_late() const;
    /// Completes the files; after simulation::run().
    void finish();

private:
    const time_window window_;
    const std::vector<std::string> scopes_;  ///< as given
    std::unique_ptr<waveform> waves_;
    std::unique_ptr<output_file> view_;
    std::unique_ptr<output_file> names_;
    std::unique_ptr<protocol::trace_writer> timeline_;
    std::unique_ptr<slot_trace_file> slot_ports_;
    std::unique_ptr<slot_internals_file> slot_signals_;
    std::unique_ptr<protocol::link_trace> messages_;
};

}  // namespace heddle::command
