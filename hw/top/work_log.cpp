// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/work_log.h"

#include <fmt/format.h>

#include "hw/base/report_error.h"
#include "models/program/kernel.h"

namespace heddle {
namespace {

std::string text(const std::optional<std::uint64_t>& cycle) {
    return cycle ? std::to_string(*cycle) : std::string();
}

/// Columns of runs in which kernels launch; a group in memory shows the address of its record.
std::string ancestry(const launch_record& l) {
    const bool by_host = l.launch.by_host();
    std::string agei;
    if (l.group != null_group) {
        agei = l.group.is_spilled() ? fmt::format("0x{:08x}", l.group.record().value())
                                    : std::to_string(l.group.entry().value());
    }
    return fmt::format(",{},{},{},{},{}", by_host ? std::string() : to_text(l.parent),
                       by_host ? std::string() : std::to_string(l.parent_block), l.depth,
                       l.entry ? std::to_string(*l.entry) : std::string(), agei);
}

}  // namespace

work_log::work_log(const std::string& blocks_file) {
    if (blocks_file.empty()) return;
    file_ = std::make_unique<output_file>(blocks_file);
    file_->stream() << "launch,kernel,index,x,y,z,smx,slot,dispatch,start,end,warp_instructions\n";
}

std::uint64_t& work_log::place(const protocol::block_dispatch& block) {
    const std::size_t smx = block.sm.value();
    const std::size_t slot = block.slot.value();
    if (places_.size() <= smx) places_.resize(smx + 1);
    if (places_[smx].size() <= slot) places_[smx].resize(slot + 1);
    return places_[smx][slot];
}

void work_log::launched(const prepared_launch& launch, std::uint64_t cycle) {
    launch_record record;
    record.launch = launch.id;
    record.kernel = launch.kernel->name;
    record.grid = launch.shape.grid;
    record.block = launch.shape.block;
    record.cooperative = launch.shape.cooperative;
    record.launched = cycle;
    record.parent = launch.parent;
    record.parent_block = launch.parent_block;
    record.depth = launch.depth;
    any_by_kernels_ = any_by_kernels_ || !launch.id.by_host();
    positions_[launch.id] = launches_.size();
    launches_.push_back(std::move(record));
}

std::optional<std::size_t> work_log::position(const protocol::block_dispatch& block) const {
    const auto found = positions_.find(block.launch);
    if (found == positions_.end()) return std::nullopt;
    return found->second;
}

void work_log::dispatched(const protocol::block_dispatch& block, std::uint64_t cycle) {
    const auto at = position(block);
    if (!at) {
        report_error(work_log_report::unknown_launch, "block " + std::to_string(block.block) +
                                                          " is of launch " + to_text(block.launch) +
                                                          ", which nobody has announced");
        return;
    }
    launch_record& launch = launches_[*at];
    ++launch.running;
    if (!launch.first_dispatch) {
        launch.first_dispatch = cycle;
        launch.entry = block.kde.value();
        launch.group = block.group;
    }
    if (!file_) return;
    place(block) = written_ + blocks_.size();
    block_record record;
    record.launch = *at;
    record.index = block.block;
    record.position = block.position;
    record.smx = block.sm.value();
    record.slot = block.slot.value();
    record.dispatch = cycle;
    blocks_.push_back(record);
}

void work_log::started(const protocol::block_dispatch& block, std::uint64_t cycle) {
    const auto at = position(block);
    if (!at) return;
    if (!launches_[*at].first_start) launches_[*at].first_start = cycle;
    if (file_) record_of(block).start = cycle;
}

void work_log::ended(const protocol::block_dispatch& block, std::uint64_t cycle) {
    const auto at = position(block);
    if (!at) return;
    launch_record& launch = launches_[*at];
    launch.last_end = cycle;
    if (!comes_back(block.outcome)) ++launch.blocks;
    --launch.running;
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
    const launch_record& launch = launches_[block.launch];
    file_->stream() << fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n", to_text(launch.launch), csv_field(launch.kernel),
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
        if (!launch.launch.by_host()) continue;
        const std::string scope = "launch." + to_text(launch.launch);
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
        "first_dispatch,first_start,last_end,cycles,blocks,warp_instructions";
    csv += any_by_kernels_ ? ",parent,parent_block,depth,entry,agei\n" : "\n";
    for (const launch_record& l : launches_) {
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", to_text(l.launch),
                           csv_field(l.kernel), l.launch.by_host() ? "host" : "device", l.grid.x,
                           l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.launched,
                           text(l.first_dispatch), text(l.first_start),
                           l.complete() ? text(l.last_end) : std::string(),
                           l.complete() ? std::to_string(l.cycles()) : std::string(), l.blocks,
                           l.warp_instructions);
        if (any_by_kernels_) csv += ancestry(l);
        csv += "\n";
    }
    return csv;
}

}  // namespace heddle
