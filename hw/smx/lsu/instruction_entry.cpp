// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/instruction_entry.h"

#include <utility>

#include "hw/smx/lsu/queue/coalescer.h"
#include "hw/smx/pipeline/code_profile.h"
#include "models/simt/fault_text.h"

namespace heddle {

using isa::instruction_class;

namespace {

/// Why no transaction may contain the access; empty if one may. `log`: of private memory.
std::string transaction_fault(const queued_instruction& m, const private_log* log) {
    const isa::instruction& i = *m.flight.instruction;
    const bool store = i.cls == instruction_class::store;
    const bool global = (m.left.in_global | m.left.in_constant) != 0;
    if (store && global) return simt::in_transaction_text(i, 0);
    const bool logged = store && log != nullptr && m.left.in_private != 0;
    if (!logged || log->has_room(m.transaction, m.left.in_private)) return {};
    return simt::private_log_text(log->limit());
}

/// Makes of `m` a load or store of private memory for the log: of as many bytes, without a
/// register.
void make_for_log(queued_instruction& m, bool store, unsigned bytes,
                  isa::lane_mask lanes) noexcept {
    static const isa::instruction accesses[2][3] = {
        {isa::decode(0x00004003), isa::decode(0x00005003), isa::decode(0x00002003)},   // lbu lhu lw
        {isa::decode(0x00000023), isa::decode(0x00001023), isa::decode(0x00002023)}};  // sb sh sw
    m.flight = {{}, code_profile::nowhere, {}, &accesses[store ? 1 : 0][bytes / 2]};
    m.for_log = true;
    m.log = {};
    m.transactional = false;
    m.lanes = lanes;
    m.left = {};
    m.left.in_private = lanes;
}

}  // namespace

std::optional<access_checker::fault> instruction_entry::check(queued_instruction& m) {
    auto fault = checker_.check(m, m.left);
    if (fault || !m.transactional) return fault;
    if (std::string what = transaction_fault(m, parts_.log); !what.empty()) {
        return access_checker::fault{bits::first(m.lanes), std::move(what)};
    }
    return {};
}

std::optional<access_checker::fault> instruction_entry::accept() {
    queued_instruction& m = parts_.queue.next_slot();
    if (auto fault = check(m)) return fault;
    if (m.left.in_private != 0) {
        if (m.gathered) {
            coalescer::to_device(m.address, m.left.in_private, parts_.layout, m.thread);
        } else {
            coalescer::to_device(m.address, m.left.in_private, parts_.layout, m.private_region);
        }
    }
    const bool logged = m.transactional && parts_.log != nullptr && m.left.in_private != 0 &&
                        m.flight.instruction->cls == instruction_class::store;
    if (!logged) {
        enter(m);
        return {};
    }
    // There are two slots, as the queue was not full.
    const queued_instruction store = m;
    const unsigned bytes = m.flight.instruction->access_bytes();
    make_for_log(m, false, bytes, m.left.in_private);
    m.log = parts_.log->add(m.transaction, m.lanes, bytes, m.address);
    enter(m);
    queued_instruction& next = parts_.queue.next_slot();
    next = store;
    enter(next);
    return {};
}

void instruction_entry::restore(const memory_source& source, access_owner owner, warp_slot warp,
                                const old_words& words) {
    queued_instruction& m = parts_.queue.next_slot();
    m.owner = owner;
    m.block = source.slot;
    m.launch = source.launch;
    m.block_index = source.block;
    m.warp = warp;
    m.gathered = false;
    make_for_log(m, true, words.bytes, words.lanes);
    std::copy(words.address.begin(), words.address.end(), m.address);
    std::copy(words.value.begin(), words.value.end(), m.data);
    enter(m);
}

void instruction_entry::enter(queued_instruction& m) {
    const isa::lane_mask lines = m.left.in_private | m.left.in_global;
    const bool constants = m.left.in_constant != 0 && (m.left.in_shared | lines) == 0;
    load_store_counters& counters = parts_.counters;
    counters.line_instructions += lines != 0 ? 1 : 0;
    counters.thread_accesses += bits::count(lines);
    m.left.in_read_only = 0;
    if (parts_.read_only.exists() && m.flight.instruction->is_read_only_load()) {
        std::swap(m.left.in_read_only, m.left.in_global);
    }
    m.queued = parts_.domain.edge();
    m.finished = false;
    parts_.outstanding.start_instruction(m.owner);
    const instruction_class what = m.flight.instruction->cls;
    if (what != instruction_class::load) parts_.outstanding.start_write(m.owner);
    if (what == instruction_class::store) {
        ++counters.stores;
        parts_.queue.push();
        return;
    }
    ++(what == instruction_class::load ? counters.loads : counters.atomics);
    m.entry = parts_.flights.start(m);
    if (!constants || !load_constants(m)) parts_.queue.push();
}

bool instruction_entry::load_constants(queued_instruction& m) {
    load_path& constants = parts_.constants;
    if (parts_.queue.head_has_constants() || !constants.is_free(m.queued)) return false;
    if (constants.access(m, m.left.in_constant, m.queued) || !m.left.none()) return false;
    parts_.flights.leave_queue(m.entry);
    return true;
}

}  // namespace heddle
