// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/link_faults/payload_bits.h"

#include <algorithm>

#include "models/base/bits.h"

namespace heddle::link_faults {

namespace {

/// Collects the wires of a payload.
class wire_list {
public:
    template <class Field>
    void add(Field& field) {
        all_.push_back({static_cast<std::uint64_t>(field),
                        [&field](std::uint64_t value) { field = static_cast<Field>(value); }});
    }
    template <class Tag>
    void add(strong_index<Tag>& index) {
        all_.push_back({index.value(), [&index](std::uint64_t value) {
                            index = strong_index<Tag>(static_cast<std::uint32_t>(value));
                        }});
    }
    void add(launch_id& launch) {
        all_.push_back({launch.value(), [&launch](std::uint64_t value) {
                            launch = launch_id(static_cast<std::uint32_t>(value));
                        }});
    }
    void add(std::uint64_t value, std::function<void(std::uint64_t)> set) {
        all_.push_back({value, std::move(set)});
    }
    void add(protocol::kernel_launch& p);
    [[nodiscard]] std::vector<wire> take() { return std::move(all_); }

private:
    std::vector<wire> all_;
};

void wire_list::add(protocol::kernel_launch& p) {
    add(p.launch);
    add(p.parent);
    add(p.kernel_number);
    add(p.entry_pc);
    add(p.grid.x);
    add(p.grid.y);
    add(p.block.x);
    add(p.block.y);
    add(p.parameter_address);
    add(p.parameter_bytes);
    add(p.dynamic_shared_bytes);
    add(p.queue);
    add(p.cooperative);
    add(p.priority);
    add(p.group);
    add(p.parent_block);
    add(p.device_stream);
    add(p.has_stream);
}

}  // namespace

std::vector<wire> wires_of(tlm::tlm_generic_payload& p) {
    wire_list list;
    list.add(p.get_address(), [&p](std::uint64_t value) { p.set_address(value); });
    list.add(static_cast<std::uint64_t>(p.get_command()),
             [&p](std::uint64_t value) { p.set_command(static_cast<tlm::tlm_command>(value)); });
    list.add(p.get_data_length(),
             [&p](std::uint64_t value) { p.set_data_length(static_cast<unsigned>(value)); });
    for (unsigned byte = 0; byte < p.get_data_length(); ++byte) list.add(p.get_data_ptr()[byte]);
    if (protocol::memory_access* const access = protocol::access_of(p)) {
        list.add(access->launch);
        list.add(access->kind);
        list.add(access->operation);
        list.add(access->sm);
        list.add(access->slot);
        for (std::uint64_t& word : access->byte_mask) list.add(word);
        for (unsigned n = 0; n < access->atomic_count; ++n) {
            list.add(access->atomics[n].offset);
            list.add(access->atomics[n].operand);
            list.add(access->atomics[n].result);
        }
    }
    return list.take();
}

std::vector<wire> wires_of(protocol::kernel_launch& p) {
    wire_list list;
    list.add(p);
    return list.take();
}

std::vector<wire> wires_of(protocol::aggregation& p) {
    wire_list list;
    list.add(p.sm);
    list.add(p.warp);
    list.add(p.parent);
    list.add(p.count);
    for (std::size_t n = 0; n < std::min<std::size_t>(p.count, p.groups.size()); ++n) {
        protocol::aggregated_group& group = p.groups[n];
        list.add(group.thread);
        list.add(group.record);
        if (group.launch) list.add(*group.launch);
    }
    return list.take();
}

std::vector<wire> wires_of(protocol::block_dispatch& p) {
    wire_list list;
    list.add(p.launch);
    list.add(p.kde);
    list.add(p.block);
    list.add(p.position.x);
    list.add(p.sm);
    list.add(p.slot);
    list.add(p.context);
    list.add(p.invalidate_l1);
    return list.take();
}

std::vector<wire> wires_of(protocol::kde_update& p) {
    wire_list list;
    list.add(p.launch);
    list.add(p.kde);
    list.add(p.event);
    list.add(p.block);
    return list.take();
}

std::vector<wire> wires_of(protocol::warp_cycle& p) {
    wire_list list;
    list.add(p.sm);
    list.add(p.scheduler);
    list.add(p.status.resident);
    list.add(p.status.ready);
    list.add(p.status.issuable);
    list.add(p.status.started);
    list.add(p.status.memory_done);
    list.add(p.decision.warp);
    return list.take();
}

/// Without the number of arrivals, which is the length of an array: no wire of hardware.
std::vector<wire> wires_of(protocol::thread_turn& p) {
    wire_list list;
    list.add(p.sm);
    list.add(p.cycle);
    list.add(p.accepting);
    for (std::uint32_t n = 0; n < p.arrival_count; ++n) {
        // The array is that of the SMX, and only constant for the pool.
        auto& arrival = const_cast<protocol::thread_arrival&>(p.arrivals[n]);
        list.add(arrival.block);
        list.add(arrival.pc);
        list.add(arrival.lanes);
        bits::for_each(arrival.lanes, [&](unsigned lane) { list.add(arrival.threads[lane]); });
    }
    return list.take();
}

std::vector<wire> wires_of(protocol::shared_access& p) {
    wire_list list;
    list.add(p.launch);
    list.add(p.sm);
    list.add(p.command);
    list.add(p.operation);
    list.add(p.bytes);
    list.add(p.lanes);
    bits::for_each(p.lanes, [&](unsigned lane) {
        list.add(p.address[lane]);
        list.add(p.data[lane]);
        list.add(p.compare[lane]);
    });
    return list.take();
}

}  // namespace heddle::link_faults
