// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Lock-step of a core that is not ours.
#include <algorithm>

#include "hw/top/retired_text.h"
#include "include/heddle/lockstep.h"
#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "library/retire/packed_record.h"
#include "models/base/warp_slots.h"
#include "models/program/address_map.h"
#include "models/program/image.h"

namespace {

using namespace heddle;
using namespace heddle::library;

iss::foreign_rules rules_of(const heddle_lockstep_options* options) {
    iss::foreign_rules rules;
    if (options == nullptr) return rules;
    const auto& wanted = given_struct(options, "lockstep", "heddle_lockstep_options");
    rules.threads_apart = wanted.threads_apart != 0;
    rules.ordered = wanted.ordered != 0;
    rules.tells_drained = wanted.tells_drained != 0;
    rules.stale_loads = wanted.stale_loads != 0;
    return rules;
}

void show(const prepared_launch& from, std::uint32_t private_bytes, heddle_lockstep_launch& into) {
    into.launch = from.id.value();
    into.kernel = from.kernel->name.c_str();
    into.entry = from.kernel->entry;
    into.parameters = from.parameters;
    into.stack = program::private_window.base + private_bytes;
    const dim3 sizes[] = {from.shape.grid, from.shape.block};
    uint32_t* const to[] = {into.grid, into.block};
    for (unsigned i = 0; i < 2; ++i) {
        to[i][0] = sizes[i].x;
        to[i][1] = sizes[i].y;
        to[i][2] = sizes[i].z;
    }
    into.shared_bytes = from.per_block.shared_bytes;
    into.dynamic_shared_base =
        program::shared_window.base + from.per_block.shared_bytes - from.shape.dynamic_shared_bytes;
}

void take(library::machine& m, const heddle_retired& record) {
    try {
        m.followed().take(record);
    } catch (const configuration_error& error) {
        throw configuration_error(std::string("this record can't be: ") + error.what());
    }
}

}  // namespace

heddle_status heddle_lockstep_create(const heddle_options* options,
                                     const heddle_lockstep_options* lockstep,
                                     heddle_machine** machine) {
    return call(__func__, [&] {
        given(machine, "machine") = nullptr;
        machine_request request = request_of(options);
        request.functional = true;
        request.follows = rules_of(lockstep);
        *machine = admit(request);
    });
}

heddle_status heddle_lockstep_launch_count(heddle_machine* machine, size_t* count) {
    return call(__func__, machine,
                [&](library::machine& m) { given(count, "count") = m.followed().open().size(); });
}

heddle_status heddle_lockstep_get_launch(heddle_machine* machine, size_t index,
                                         heddle_lockstep_launch* launch) {
    return call(__func__, machine, [&](library::machine& m) {
        auto& into = given_struct(launch, "launch", "heddle_lockstep_launch");
        const auto& open = m.followed().open();
        const std::size_t which = given_index(index, open.size(), "launches that have not ended");
        show(*open[which], m.followed().properties().private_bytes_per_thread, into);
    });
}

heddle_status heddle_lockstep_fetch(heddle_machine* machine, uint32_t launch, uint32_t address,
                                    uint32_t* words, size_t count) {
    return call(__func__, machine, [&](library::machine& m) {
        if (count != 0) given(words, "words");
        if (count > (program::address_space_bytes - address) / 4) {
            throw configuration_error("'count' is " + std::to_string(count) +
                                      ", which goes beyond the address space");
        }
        for (std::size_t i = 0; i < count; ++i) {
            words[i] = m.followed().fetch(launch, address + static_cast<std::uint32_t>(4 * i));
        }
    });
}

heddle_status heddle_lockstep_block(heddle_machine* machine, uint64_t cycle, uint32_t smx,
                                    uint32_t launch, uint32_t block, int ends) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_retired record{};
        record.size = sizeof record;
        record.kind = ends != 0 ? HEDDLE_BLOCK_END : HEDDLE_BLOCK_BEGIN;
        record.cycle = cycle;
        record.smx = smx;
        record.warp_size = m.followed().properties().warp_size;
        record.launch = launch;
        record.block = block;
        take(m, record);
    });
}

heddle_status heddle_lockstep_step(heddle_machine* machine, const heddle_retired* records,
                                   size_t count, size_t* taken) {
    return call(__func__, machine, [&](library::machine& m) {
        if (taken != nullptr) *taken = 0;
        if (count == 0) return;
        given_struct(records, "records", "heddle_retired");
        const bool over = m.followed().core().finding().has_value();
        for (std::size_t i = 0; i < count; ++i) {
            try {
                take(m, records[i]);
            } catch (const configuration_error&) {
                throw;
            } catch (const run_error&) {
                if (taken != nullptr && !over) ++*taken;
                throw;
            }
            if (taken != nullptr) ++*taken;
        }
    });
}

heddle_status heddle_lockstep_packed(heddle_machine* machine, uint32_t lanes, const uint32_t* words,
                                     size_t count) {
    return call(__func__, machine, [&](library::machine& m) {
        take(m, unpacked(lanes, &given(words, "words"), count));
    });
}

heddle_status heddle_lockstep_memory(heddle_machine* machine, uint32_t address, const void* data,
                                     size_t bytes) {
    return call(__func__, machine, [&](library::machine& m) {
        if (data == nullptr && bytes != 0) throw configuration_error("'data' is NULL");
        m.followed().tell_memory(address, data, bytes);
    });
}

heddle_status heddle_lockstep_finish(heddle_machine* machine) {
    return call(__func__, machine, [](library::machine& m) { m.followed().finish(); });
}

heddle_status heddle_lockstep_difference(heddle_machine* machine, heddle_difference* difference) {
    return call(__func__, machine, [&](library::machine& m) {
        auto& into = given_struct(difference, "difference", "heddle_difference");
        const auto& found = m.followed().core().finding();
        into = {};
        into.size = sizeof into;
        into.text = into.source = into.steps = "";
        if (!found) return;
        into.status = static_cast<int32_t>(found->kind);
        into.text = found->text.c_str();
        if (!found->place) return;
        const iss::lockstep_place& at = *found->place;
        into.has_place = 1;
        into.launch = at.launch.value();
        into.block = at.block;
        into.warp = at.warp;
        into.lane = at.lane;
        into.pc = at.pc;
        into.n = at.number;
        const program::image* const in = m.program_at(at.pc);
        into.source = m.keep_text(in == nullptr ? std::string() : in->locate(at.pc).text());
        fmt::memory_buffer lines;
        for (const heddle_retired& step : found->last_steps) append_retired_text(lines, step);
        into.steps = m.keep_text(fmt::to_string(lines));
    });
}

heddle_status heddle_lockstep_coverage(heddle_machine* machine, const char** text) {
    return call(__func__, machine, [&](library::machine& m) {
        given(text, "text") = m.keep_text(m.followed().coverage().table());
    });
}

heddle_status heddle_lockstep_get_counts(heddle_machine* machine, heddle_lockstep_counts* counts) {
    return call(__func__, machine, [&](library::machine& m) {
        auto& into = given_struct(counts, "counts", "heddle_lockstep_counts");
        const iss::lockstep_counts& found = m.followed().counts();
        into.instructions = found.instructions;
        into.loaded_values = found.loaded_values;
        into.racing_values = found.racing_values;
        into.shared_races = found.shared_races;
        into.late_writes = m.followed().core().late_writes();
    });
}
