// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "hw/base/scope_filter.h"
#include "hw/base/trace_output.h"
#include "hw/base/vcd_writer.h"

namespace heddle::protocol {

/// What a timeline shows.
struct trace_selection {
    /// Glob patterns (* ? [abc]) over names of tracks; a pattern that matches a scope selects
    /// everything below it. Empty: everything.
    std::vector<std::string> scopes = {};
    /// Launches, blocks and warps that overlap the window; accesses and issues that begin in it.
    time_window window = {};
    /// Only accesses of these SMXs (by number) on the links behind them; empty: of all.
    std::vector<bool> accesses_of = {};
};

/// Writes a Chrome/Perfetto trace (JSON trace event format) during the run. Memory use is bounded
/// by the transactions under way. Equal runs give equal bytes. FILE.gz is compressed.
///
/// A *track* belongs to a block of the netlist (a trace "process"); its slices are on as many lanes
/// ("threads") as slices overlap in time. Times are in microseconds with all picoseconds.
class trace_writer {
public:
    /// Throws configuration_error if the file can't be made; see make_trace_output.
    explicit trace_writer(const std::filesystem::path& file, trace_selection selection = {});

    /// Whether a track is selected.
    [[nodiscard]] bool selects(const std::string& name) { return scopes_.selects(name); }
    [[nodiscard]] bool shows_accesses_of(std::size_t sm) const noexcept {
        return selection_.accesses_of.empty() ||
               (sm < selection_.accesses_of.size() && selection_.accesses_of[sm]);
    }
    [[nodiscard]] const time_window& window() const noexcept { return selection_.window; }
    /// Which tracks are selected, and which were offered.
    [[nodiscard]] const scope_filter& scopes() const noexcept { return scopes_; }

    /// A new track of the block `owner`, which may have several, in the order of the calls. Without
    /// label it is the only one.
    unsigned add_track(const std::string& owner, std::string_view label = {});
    /// Names a lane of a track in the viewer.
    void add_lane(unsigned track, unsigned lane);

    /// One slice, if it overlaps the window. `arguments` is the inside of a JSON object, possibly
    /// empty. A flow is an arrow from the slice where it starts to every slice where it ends; 0 =
    /// none. A transaction's slice ends a flow, the slice of one of its states starts the next.
    struct slice {
        unsigned track, lane;
        std::string_view name, category, arguments;
        std::uint64_t begin_ps, end_ps;
        std::uint64_t flow;
        bool flow_starts;
    };
    void write(const slice& what);
    /// A mark on a lane, if it is in the window.
    void write_instant(unsigned track, unsigned lane, std::string_view name, std::uint64_t at_ps);

    /// Completes the file; throws configuration_error if it could not be written (disk full).
    /// Without it no file appears.
    void finish();

private:
    struct owner_state {
        unsigned id;
        unsigned tracks;
    };
    struct track_state {
        unsigned owner;
        unsigned first_lane;
        std::string label;
    };
    void begin_event();
    void begin_metadata(std::string_view what, unsigned owner);
    void put_lane(unsigned track, unsigned lane);
    void flush();

    std::unique_ptr<trace_output> file_;
    trace_selection selection_;
    scope_filter scopes_;
    std::string buffer_;
    std::map<std::string, owner_state> owners_;
    std::vector<track_state> tracks_;
    bool first_ = true;
};

/// Picoseconds of a time, for any time resolution.
std::uint64_t picoseconds(const sc_core::sc_time& time);

}  // namespace heddle::protocol
