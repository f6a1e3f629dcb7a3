// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/list/statistics_catalog.h"

#include <fmt/format.h>

#include "command/run/host_statistics.h"
#include "command/run/run_statistics.h"
#include "hw/crossbar/crossbar_statistics.h"
#include "hw/kernel_distributor/kernel_distributor.h"
#include "hw/kmu/kmu.h"
#include "hw/memory_controller/memory_controller_statistics.h"
#include "hw/smx/lsu/load_store_statistics.h"
#include "hw/smx/lsu/loads/load_latency.h"
#include "hw/smx/shared_memory/shared_memory.h"
#include "hw/smx/smx_statistics.h"
#include "hw/smx/thread_pool/dwf/dwf_statistics.h"
#include "hw/smx/thread_pool/thread_pool.h"
#include "hw/smx/tm/tm_statistics.h"
#include "hw/smx/warp_scheduler/warp_scheduler.h"
#include "hw/smx_scheduler/cooperation/cooperation_counts.h"
#include "hw/smx_scheduler/groups/launch_counts.h"
#include "hw/smx_scheduler/placement/distribution_counts.h"
#include "hw/smx_scheduler/placement/preemption_counts.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/machine_tables.h"
#include "hw/top/thread_progress.h"
#include "hw/top/work_log.h"
#include "models/base/series_file.h"

namespace heddle::command {
namespace {

template <std::size_t Count>
statistic_group group(const char* scope, const statistic_declaration (&table)[Count]) {
    return {scope, {table, table + Count}};
}

template <class Counts, std::size_t Count>
statistic_group group(const char* scope, const counted_statistic<Counts> (&table)[Count]) {
    statistic_group all{scope, {}};
    for (const auto& each : table) all.table.push_back(each.of_block);
    return all;
}

/// What the machine shows of a table of a block.
template <class Counts, std::size_t Count>
statistic_group machine_group(const counted_statistic<Counts> (&table)[Count]) {
    statistic_group all{"gpu", {}};
    for (const auto& each : table) {
        if (each.of_machine != nullptr) all.table.push_back(each.machine_declaration());
    }
    return all;
}

void append(std::string& page, const std::string& scope, const statistic_declaration& s) {
    page += fmt::format("| `{}.{}` | {} | {} |\n", scope, s.name, s.unit, s.description);
}

}  // namespace

std::vector<statistic_group> statistic_catalog() {
    std::vector<statistic_group> all{group("gpu", execution_statistics),
                                     group("gpu", gpu_statistics)};
    for_each_machine_table(
        [&](const auto& table, const auto&) { all.push_back(machine_group(table)); });
    const std::vector<statistic_group> others{
        group("gpu", double_statistics),
        group("gpu", scheduler_statistics),
        group("gpu", issue_size_statistics),
        group("kernel.NAME", kernel_statistics),
        group("kernel.NAME", execution_statistics),
        group("kernel.NAME", double_statistics),
        group("kmu", kmu_statistics),
        group("kernel_distributor", kernel_distributor_statistics),
        group("smx_scheduler", smx_scheduler_statistics),
        group("launch", launch_statistics),
        group("launch", device_launch_statistics),
        group("launch.host", launch_kind_statistics),
        group("launch.kernel", launch_kind_statistics),
        group("launch.group", launch_kind_statistics),
        group("launch.group", launch_group_statistics),
        group("launch.suspended", suspended_block_statistics),
        group("coop", cooperation_statistics),
        group("coop.preempt", preemption_statistics),
        group("smx.N", execution_statistics),
        group("smx.N", double_statistics),
        group("smx.N", smx_statistics),
        group("smx.N", scheduler_statistics),
        group("smx.N", issue_size_statistics),
        group("smx.N.lsu", lsu_statistics),
        group("smx.N.l1d", l1d_load_statistics),
        group("smx.N.l1d", l1d_statistics),
        group("smx.N.constant_cache", constant_cache_statistics),
        group("smx.N.read_only_cache", read_only_cache_statistics),
        group("smx.N.load_latency", load_latency_statistics),
        group("smx.N.constant_latency", constant_latency_statistics),
        group("smx.N.shared_memory", shared_memory_statistics),
        group("smx.N.warp_scheduler_N", warp_scheduler_statistics),
        group("smx.N.warp_scheduler_N", scheduler_cycle_statistics),
        group("smx.N.thread_pool", thread_pool_statistics),
        group("smx.N.thread_pool", dwf_statistics),
        group("smx.N.tm", tm_statistics),
        group("tm", tm_statistics),
        group("load_latency", load_latency_statistics),
        group("constant_latency", constant_latency_statistics),
        group("crossbar.request", crossbar_statistics),
        group("crossbar.response", crossbar_statistics),
        group("l2.N", l2_statistics),
        group("l2.N", l2_stall_statistics),
        group("dram", memory_statistics),
        group("memory_controller.N", memory_statistics),
        group("memory_controller.N", channel_statistics),
        group("memory_controller.N", memory_controller_statistics),
        group("launch.N", launch_record_statistics),
        group("run", run_statistics),
        group("host", host_statistics)};
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::string statistics_markdown() {
    std::string page =
        "# Statistics, one by one\n\nGenerated from the declarations in the sources; a test keeps "
        "it current. In scopes N stands for a number, NAME for a kernel's name. "
        "[statistics.md](statistics.md) says how to read them.\n";
    std::string scope;
    const auto heading = [&](const std::string& name) {
        if (scope == name) return;
        scope = name;
        page += fmt::format("\n## {}\n\n| statistic | unit | meaning |\n|---|---|---|\n", name);
    };
    for (const statistic_group& each : statistic_catalog()) {
        heading(each.scope);
        for (const statistic_declaration& s : each.table) append(page, each.scope, s);
    }
    heading("interval");
    page.insert(page.rfind("\n| statistic |"),
                "\nThese are the first columns of `--series` and `--thread-progress`. In a series, "
                "all statistics "
                "of `gpu` follow.\n");
    for (const statistic_declaration& s : interval_statistics) append(page, "interval", s);
    heading("thread.T");
    page.insert(page.rfind("\n| statistic |"),
                "\nThese are the columns of `--thread-progress` behind the interval.\n");
    for (const statistic_declaration& s : thread_progress_statistics) append(page, "thread.T", s);
    return page;
}

}  // namespace heddle::command
