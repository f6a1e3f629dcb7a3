// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/settings.h"

#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/configuration.h"

namespace heddle::smx_reference {

namespace {

/// Draws for a configuration.
class draws {
public:
    explicit draws(random_stream random) : random_(random) {}

    std::uint32_t pick(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(random_.below(high - low + 1));
    }
    bool chance(double p) { return random_.chance(p); }

private:
    random_stream random_;
};

void randomize_pipeline(smx_settings& c, draws& draw) {
    c.smx.schedulers = draw.pick(1, 4);
    c.smx.issue_interval = draw.chance(0.3) ? draw.pick(2, 4) : 1;
    c.smx.barrel = draw.chance(0.2);
    c.smx.dual_issue = !c.smx.barrel && draw.chance(0.4);
    c.smx.scheduler_pipeline = !c.smx.dual_issue && draw.chance(0.3);
    c.smx.instruction_buffer = draw.pick(1, 4);
    c.smx.fetch_width = draw.pick(1, 4);
    c.smx.branch_latency = draw.pick(1, 9);
    c.smx.barrier_latency = draw.pick(1, 20);
    c.smx.operand_latency = draw.pick(0, 4);
    c.smx.register_banks = draw.pick(1, 8);
    c.smx.writeback_ports = draw.pick(1, 6);
    c.smx.writeback_interval = draw.chance(0.2) ? draw.pick(1, 4) : 0;
    for (unit_configuration& unit : c.smx.units) {
        unit = {draw.pick(1, 4), draw.pick(1, 30), draw.pick(1, 4)};
    }
    c.l1i.line = 32U << draw.pick(0, 2);
    c.l1i.ways = draw.pick(1, 2);
    c.l1i.size = c.l1i.line * c.l1i.ways * (1U << draw.pick(0, 5));
    c.l1i.hit_latency = draw.pick(1, 4);
    c.l1i.mshrs = draw.pick(1, 4);
    c.scheduler.scheduler =
        selection_policies::all()[draw.pick(0, selection_policies::all().size() - 1)];
    c.scheduler.assignment =
        draw.chance(0.5) ? scheduler_assignment::modulo : scheduler_assignment::contiguous;
    c.scheduler.policies.of<motrr_configuration>().classify =
        draw.chance(0.5) ? memory_classification::opcode : memory_classification::last_window;
    c.scheduler.policies.of<two_level_configuration>().fetch_group = draw.pick(1, 8);
    auto& ccws = c.scheduler.policies.of<ccws_configuration>();
    ccws.throttle = draw.pick(1, 50);
    ccws.victim_ways = draw.pick(1, 4);
    ccws.victim_tags = ccws.victim_ways * draw.pick(1, 4);
}

template <class Cache>
void randomize_cache(Cache& cache, draws& draw) {
    cache.line = 32U << draw.pick(0, 2);
    cache.ways = draw.pick(1, 4);
    cache.size = draw.chance(0.15) ? 0 : cache.line * cache.ways * (1U << draw.pick(0, 5));
    cache.hit_latency = draw.pick(1, 40);
    cache.mshrs = draw.pick(1, 8);
    cache.mshr_targets = draw.pick(1, 6);
}

void randomize_memory(smx_settings& c, draws& draw) {
    c.memory.unit.queue_depth = draw.pick(1, 6);
    c.memory.unit.request_queue = draw.pick(2, 8);
    c.memory.unit.outstanding = draw.pick(16, 64);
    c.memory.unit.request_latency = draw.chance(0.5) ? 0 : draw.pick(1, 20);
    c.memory.unit.return_latency = draw.pick(1, 20);
    c.memory.unit.sector = 4U << draw.pick(0, 3);
    randomize_cache(c.memory.l1d, draw);
    c.memory.l1d.cache_global = draw.chance(0.6);
    c.memory.l1d.banks = draw.chance(0.5) ? 1 : draw.pick(2, 16);
    randomize_cache(c.memory.constant, draw);
    c.memory.constant.ports = draw.pick(1, 4);
    randomize_cache(c.memory.read_only, draw);
    c.memory.read_only.ports = draw.pick(1, 4);
    c.memory.shared.banks = 1U << draw.pick(0, 6);
    c.memory.shared.latency = draw.pick(1, 40);
    c.memory.shared.replay_latency = draw.pick(1, 4);
    c.memory.shared.write_interval = draw.pick(1, 4);
}

}  // namespace

smx_settings load_settings(const std::string& config, const std::vector<std::string>& values,
                           const std::string& folder) {
    gpu_configuration whole;
    parameter_list parameters(whole);
    load_configuration(parameters, {config, values, {folder}});
    whole.l1d.policy = write_policy::through;  // the model knows no other
    smx_settings all{whole.machine,
                     whole.smx,
                     whole.l1i,
                     whole.warp_scheduler,
                     {whole.lsu, whole.l1d, whole.constant_cache, whole.read_only_cache,
                      whole.shared, std::nullopt}};
    if (all.scheduler.scheduler == selection_policies::key<cache_conscious>)
        all.memory.victims = all.scheduler.policies.of<ccws_configuration>();
    return all;
}

void randomize(smx_settings& settings, const random_stream& random) {
    draws draw(random);
    randomize_pipeline(settings, draw);
    randomize_memory(settings, draw);
    settings.memory.victims.reset();
    if (settings.scheduler.scheduler == selection_policies::key<cache_conscious>) {
        settings.memory.victims = settings.scheduler.policies.of<ccws_configuration>();
    }
}

}  // namespace heddle::smx_reference
