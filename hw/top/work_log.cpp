// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/work_log.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string text(const std::optional<std::uint64_t>& cycle) {
    return cycle ? std::to_string(*cycle) : std::string();
}

}  // namespace

work_log::work_log(const std::string& blocks_file) {
    if (blocks_file.empty()) return;
    file_ = std::make_unique<output_file>(blocks_file);
    file_->stream() << "launch,kernel,index,x,y,z,smx,slot,dispatch,start,end,warp_instructions\n";
}

launch_record& work_log::of(const protocol::kernel_launch& launch) {
    const std::size_t id = launch.launch.value();
    if (positions_.size() <= id) positions_.resize(id + 1);
    if (positions_[id] == 0) {
        launch_record record;
        record.launch = id;
        record.kernel = std::string(launch.kernel_name);
        record.source = launch.source;
        record.grid = launch.grid;
        record.block = launch.block;
        launches_.push_back(std::move(record));
        positions_[id] = launches_.size();
    }
    return launches_[positions_[id] - 1];
}

std::uint64_t& work_log::place(const protocol::block_dispatch& block) {
    const std::size_t smx = block.sm.value();
    const std::size_t slot = block.slot.value();
    if (places_.size() <= smx) places_.resize(smx + 1);
    if (places_[smx].size() <= slot) places_[smx].resize(slot + 1);
    return places_[smx][slot];
}

void work_log::launched(const protocol::kernel_launch& launch, std::uint64_t cycle) {
    of(launch).launched = cycle;
}

void work_log::dispatched(const protocol::block_dispatch& block, std::uint64_t cycle) {
    launch_record& launch = of(*block.kernel);
    if (!launch.first_dispatch) launch.first_dispatch = cycle;
    if (!file_) return;
    place(block) = written_ + blocks_.size();
    block_record record;
    record.launch = block.launch.value();
    record.index = block.block;
    record.position = block.position;
    record.smx = block.sm.value();
    record.slot = block.slot.value();
    record.dispatch = cycle;
    blocks_.push_back(record);
}

void work_log::started(const protocol::block_dispatch& block, std::uint64_t cycle) {
    launch_record& launch = of(*block.kernel);
    if (!launch.first_start) launch.first_start = cycle;
    if (file_) record_of(block).start = cycle;
}

void work_log::ended(const protocol::block_dispatch& block, std::uint64_t cycle) {
    launch_record& launch = of(*block.kernel);
    launch.last_end = cycle;
    ++launch.blocks;
    launch.warp_instructions += block.warp_instructions;
    if (!file_) return;
    block_record& record = record_of(block);
    record.end = cycle;
    record.warp_instructions = block.warp_instructions;
    write_ended();
}

/// Rows keep the order of the dispatches: one that has ended waits for those before it.
void work_log::write_ended() {
    for (; !blocks_.empty() && blocks_.front().end; ++written_) {
        write(blocks_.front());
        blocks_.pop_front();
    }
}

void work_log::write(const block_record& block) {
    const launch_record& launch = launches_[positions_[block.launch] - 1];
    file_->stream() << fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n", block.launch, csv_field(launch.kernel),
        block.index, block.position.x, block.position.y, block.position.z, block.smx, block.slot,
        block.dispatch, text(block.start), text(block.end),
        block.end ? std::to_string(block.warp_instructions) : std::string());
}

void work_log::finish() {
    if (!file_) return;
    for (; !blocks_.empty(); ++written_) {
        write(blocks_.front());
        blocks_.pop_front();
    }
    file_->commit();
}

void work_log::collect(statistics& into) const {
    for (const launch_record& launch : launches_) {
        if (launch.source != protocol::launch_source::host) continue;
        const std::string scope = "launch." + std::to_string(launch.launch);
        const auto set = [&](const char* name, const std::optional<std::uint64_t>& value) {
            if (value) into.set(scope + "." + name, *value);
        };
        into.declare(scope, launch_record_statistics);
        set("launched", launch.launched);
        set("first_dispatch", launch.first_dispatch);
        set("first_start", launch.first_start);
        if (launch.complete()) {
            set("last_end", launch.last_end);
            set("cycles", launch.cycles());
        }
        set("blocks", launch.blocks);
        set("warp_instructions", launch.warp_instructions);
    }
}

std::string work_log::launches_csv() const {
    std::string csv =
        "launch,kernel,source,grid_x,grid_y,grid_z,block_x,block_y,block_z,launched,"
        "first_dispatch,first_start,last_end,cycles,blocks,warp_instructions\n";
    for (const launch_record& l : launches_) {
        csv += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", l.launch, csv_field(l.kernel),
            l.source == protocol::launch_source::host ? "host" : "device", l.grid.x, l.grid.y,
            l.grid.z, l.block.x, l.block.y, l.block.z, l.launched, text(l.first_dispatch),
            text(l.first_start), l.complete() ? text(l.last_end) : std::string(),
            l.complete() ? std::to_string(l.cycles()) : std::string(), l.blocks,
            l.warp_instructions);
    }
    return csv;
}

}  // namespace heddle
