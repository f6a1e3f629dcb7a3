// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/error.h"
#include "tests/cross/crossing.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle::cross {

namespace {

using values = std::vector<std::string>;

class machine_drawer {
public:
    explicit machine_drawer(random_stream& random) : random_(random) {}

    machine_choice draw() {
        made_.configuration = one_of({"tiny", "g80", "gk110", "si", "iris6100", "gf100"});
        set("gpu.smx_count", {"1", "2", "3"});
        draw_formation();
        draw_issue();
        draw_programs();
        draw_first_level();
        draw_network();
        draw_memory();
        return made_;
    }

private:
    const std::string& one_of(const values& all) {
        drawn_ = all[random_.below(all.size())];
        return drawn_;
    }
    const std::string& set(const std::string& key, const values& all) {
        made_.changes.push_back(key + "=" + one_of(all));
        return drawn_;
    }
    void perhaps(const std::string& key, const values& all, double chance = 0.3) {
        if (random_.chance(chance)) set(key, all);
    }

    void draw_formation() {
        const std::string formation =
            set("smx.formation", {"pdom", "pdom", "nrec", "dwf", "dwf", "dwf", "mimd"});
        if (formation != "dwf") return;
        set("dwf.policy", {"time", "pc", "majority", "minority", "pdom_priority"});
        perhaps("dwf.pools", {"per_scheduler", "shared"}, 0.7);
        perhaps("dwf.swizzling", {"none", "swap", "rotate"});
        perhaps("dwf.lane_aware", {"true", "false"});
        perhaps("dwf.home_lanes", {"warp", "pipeline"});
        perhaps("dwf.bank_conflicts", {"true", "false"});
        perhaps("dwf.infinite_resources", {"true"}, 0.15);
        perhaps("dwf.pool_entries", {"4", "16", "64", "256"});
        perhaps("dwf.heap_entries", {"2", "8", "64"});
        perhaps("dwf.lut_entries", {"4", "16", "64"});
        perhaps("dwf.overflow_latency", {"1", "40", "400"});
        perhaps("dwf.patience", {"0", "100", "10000"});
        perhaps("dwf.individual_return", {"true"});
    }

    void draw_issue() {
        perhaps("smx.schedulers", {"1", "2", "3", "4"}, 0.6);
        perhaps("smx.scheduler",
                {"lrr", "gto", "mto", "motrr", "motrr_recency", "two_level", "ccws"}, 0.8);
        perhaps("smx.scheduler_assignment", {"modulo", "contiguous"}, 0.4);
        perhaps("smx.dual_issue", {"true", "false"}, 0.4);
        perhaps("smx.scheduler_pipeline", {"true", "false"}, 0.15);
        perhaps("smx.barrel", {"true", "false"}, 0.15);
        perhaps("smx.issue_interval", {"1", "2", "4"}, 0.2);
        perhaps("smx.instruction_buffer", {"1", "2", "4"}, 0.2);
        perhaps("smx.fetch_width", {"1", "2", "4"}, 0.2);
        perhaps("smx.branch_latency", {"1", "3", "12"}, 0.2);
        perhaps("smx.barrier_latency", {"1", "20"}, 0.2);
        perhaps("smx.operand_latency", {"0", "1", "5"}, 0.2);
        perhaps("smx.register_banks", {"1", "4", "16"}, 0.2);
        perhaps("smx.writeback_ports", {"1", "2", "8"}, 0.2);
        perhaps("smx.writeback_interval", {"0", "1", "2"}, 0.15);
        perhaps("smx.max_blocks", {"1", "2", "4", "8"}, 0.4);
        perhaps("two_level.fetch_group", {"1", "2", "8"}, 0.2);
        perhaps("motrr.classify", {"opcode", "last_window"}, 0.2);
        perhaps("ccws.base_score", {"1", "100"}, 0.1);
    }

    void draw_programs() {
        if (set("tm.enabled", {"true", "false"}) == "true") {
            set("tm.detection", {"prw_sig", "swo_sig", "dcd", "smdcd"});
            set("tm.serialization", {"ascending_single", "descending_single", "ascending_multiple",
                                     "descending_multiple"});
            perhaps("tm.hashes", {"1", "2"});
            perhaps("tm.pass_cycles", {"1", "5"});
            perhaps("tm.checkpoint_cycles", {"0", "3", "40"});
        }
        if (set("launch.enabled", {"true", "false"}) == "true") {
            set("launch.ideal", {"true", "true", "false"});
            perhaps("agt.entries", {"1", "4", "64", "1024"});
            perhaps("agt.chains", {"1", "2", "4"});
        }
        perhaps("coop.enabled", {"false"}, 0.1);
        perhaps("coop.query_barrier", {"true", "false"}, 0.5);
        perhaps("coop.preempt", {"true"}, 0.4);
        perhaps("coop.latency", {"1", "20", "300"});
        perhaps("kernel_distributor.entries", {"2", "4", "32"});
        perhaps("smx_scheduler.blocks_per_cycle", {"1", "2"});
        perhaps("kmu.queues", {"1", "2", "32"});
        perhaps("kmu.dispatch_latency", {"1", "283"});
        perhaps("kmu.dispatch_interval", {"1", "50"});
    }

    void draw_first_level() {
        perhaps("l1d.cache_global", {"true", "false"}, 0.5);
        perhaps("l1d.write_policy", {"through", "back"}, 0.4);
        perhaps("l1d.size", {"0", "512", "4096", "16384"});
        perhaps("l1d.ways", {"1", "2", "4"}, 0.2);
        perhaps("l1d.line", {"32", "64", "128"}, 0.2);
        perhaps("l1d.mshrs", {"1", "2", "32"}, 0.2);
        perhaps("l1d.mshr_targets", {"1", "2", "8"}, 0.2);
        perhaps("l1d.banks", {"1", "2", "4"}, 0.2);
        perhaps("l1i.size", {"512", "2048", "8192"}, 0.2);
        perhaps("l1i.mshrs", {"1", "4"}, 0.2);
        perhaps("constant_cache.size", {"0", "2048"}, 0.2);
        perhaps("read_only_cache.size", {"0", "12288"}, 0.2);
        perhaps("lsu.queue_depth", {"1", "2", "16"}, 0.3);
        perhaps("lsu.request_queue", {"2", "8"}, 0.2);
        perhaps("lsu.outstanding", {"16", "512"}, 0.2);
        perhaps("lsu.request_latency", {"0", "30"}, 0.2);
        perhaps("lsu.return_latency", {"1", "30"}, 0.2);
        perhaps("lsu.sector", {"4", "8", "32"}, 0.2);
        perhaps("shared.banks", {"1", "8", "16", "32"}, 0.2);
        perhaps("shared.latency", {"1", "28"}, 0.2);
        perhaps("shared.write_interval", {"1", "3"}, 0.2);
        perhaps("shared.replay_latency", {"1", "9"}, 0.2);
    }

    void draw_network() {
        perhaps("crossbar.allocator", {"islip", "pim", "input_first", "wavefront"}, 0.5);
        perhaps("crossbar.iterations", {"1", "2"}, 0.2);
        perhaps("crossbar.input_speedup", {"1", "2"}, 0.2);
        perhaps("crossbar.output_check", {"before_allocation", "after_allocation"}, 0.2);
        perhaps("crossbar.flit_bytes", {"16", "32", "64"}, 0.2);
        perhaps("crossbar.input_buffer", {"16", "24", "64"}, 0.2);
        perhaps("crossbar.output_buffer", {"16", "24", "64"}, 0.2);
        perhaps("crossbar.latency", {"1", "24"}, 0.2);
        perhaps("clock.l2", {"300000", "706000", "1500000"}, 0.2);
        perhaps("clock.interconnect", {"300000", "706000", "1500000"}, 0.2);
    }

    void draw_memory() {
        perhaps("l2.size", {"0", "10240", "1310720"});
        perhaps("l2.banks", {"1", "2", "5"}, 0.2);
        perhaps("l2.hash", {"true", "false"}, 0.2);
        perhaps("l2.mshrs", {"1", "4", "64"}, 0.2);
        perhaps("l2.mshr_targets", {"1", "16"}, 0.2);
        perhaps("l2.queue", {"1", "8"}, 0.2);
        perhaps("l2.response_queue", {"1", "64"}, 0.2);
        perhaps("l2.write_buffer", {"1", "16"}, 0.2);
        perhaps("l2.atomic_lanes", {"1", "64"}, 0.2);
        perhaps("l2.atomic_interval", {"0", "9"}, 0.2);
        if (random_.chance(0.4) && set("dram.model", {"fixed", "gddr"}) == "fixed") {
            perhaps("dram.fixed.latency", {"1", "100", "500"});
            perhaps("dram.fixed.queue", {"1", "64"});
            return;
        }
        perhaps("dram.scheduler", {"fr_fcfs", "fifo"});
        perhaps("dram.queue", {"16", "32"}, 0.2);
        perhaps("dram.front_latency", {"0", "40"}, 0.2);
        perhaps("dram.response_queue", {"1", "64"}, 0.2);
    }

    random_stream& random_;
    machine_choice made_;
    std::string drawn_;
};

}  // namespace

machine_choice draw_machine(random_stream& random, std::size_t& refused) {
    for (;; ++refused) {
        const machine_choice made = machine_drawer(random).draw();
        try {
            (void)configuration_of(made.configuration, made.changes);
            return made;
        } catch (const configuration_error&) {
            // A rule between parameters: another machine.
        }
    }
}

}  // namespace heddle::cross
