// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/top/exchangeable_parts.h"
#include "hw/top/memory_of_others.h"

namespace heddle {

namespace protocol {
class interposers;
class link_trace;
class trace_writer;
}  // namespace protocol
class edge_work;
class series_file;
class slot_internals;
class slot_trace;
class waveform;
class work_log;

/// What a run wants of the netlist beside its configuration.
struct gpu_options {
    std::uint64_t seed = 1;
    bool no_sleep = false;                               ///< run every part at every edge
    bool run_ahead = true;                               ///< simulation: run_control::run_ahead()
    bool check_protocols = false;                        ///< a checker on every link
    waveform* waves = nullptr;                           ///< may be null
    protocol::trace_writer* timeline = nullptr;          ///< may be null
    work_log* log = nullptr;                             ///< of launches and blocks; may be null
    series_file* series = nullptr;                       ///< may be null
    std::uint64_t interval = 1000;                       ///< core cycles of a row of the series
    bool load_latency = true;                            ///< collect load_latency_statistics
    bool code_profile = false;                           ///< collect what each instruction costs
    const protocol::interposers* interposers = nullptr;  ///< in the links; may be null
    protocol::link_trace* messages = nullptr;            ///< of links; may be null
    slot_trace* slot_ports = nullptr;                    ///< hears of RTL in slots; may be null
    slot_internals* slot_signals = nullptr;              ///< of the RTL in a slot; may be null
    exchangeable_parts parts;                            ///< what the slots can be filled with
    memory_of_others memory;  ///< in the place of dram.model; empty: none
    /// Threads of the host that share each edge (hw/base/crew.h); see why_one_thread().
    unsigned threads = 1;
    std::uint64_t thread_delay_seed = 0;  ///< tests: crew::settings::delay_seed
    edge_work* work = nullptr;            ///< crew::settings::work, with one thread
    bool observed = false;                ///< an execution_observer will be bound
};

}  // namespace heddle
