// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/gpu.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "hw/base/crew.h"
#include "models/base/error.h"
#include "models/simt/progress_text.h"

namespace heddle {
namespace {

std::string indexed_name(const char* name, std::size_t index) {
    return std::string(name) + "_" + std::to_string(index);
}

kmu_environment environment_of(const gpu_configuration& configuration, bool launches,
                               device_runtime& runtime) {
    if (!launches) return {};
    const launch_configuration& launch = configuration.machine.launch;
    return {&runtime, launch.ideal ? 0 : launch.fallback_latency,
            std::max(configuration.kernel_distributor.entries, 2U) - 1, launch.ideal};
}

}  // namespace

gpu::gpu(const sc_core::sc_module_name& name, const gpu_configuration& configuration,
         run_control& control, const gpu_options& options)
    : sc_module(name),
      links_(options.check_protocols, options.timeline, options.interposers, options.messages),
      core_clock_(clock("core_clock", configuration.clock.core, control, options)),
      interconnect_clock_(
          clock("interconnect_clock", configuration.clock.interconnect, control, options)),
      l2_clock_(clock("l2_clock", configuration.clock.l2, control, options)),
      dram_clock_(clock("dram_clock", configuration.clock.dram, control, options)),
      can_(capabilities_of(configuration.machine, configuration.smx, configuration.formations)),
      slot_waves_(options.waves == nullptr ? nullptr
                                           : std::make_unique<slot_waves>(*options.waves)),
      rtl_usage_(slot_waves_.get()),
      slots_(options.parts, configuration.slots, options.seed, control.status(), core_clock_,
             interconnect_clock_, dram_clock_,
             {options.slot_ports, &rtl_usage_, options.slot_signals}),
      host_("host", core_clock_, control),
      device_(configuration.machine, configuration.kmu.queues, host_),
      kmu_("kmu", core_clock_, configuration.kmu, slots_.queue_picker, options.waves,
           environment_of(configuration, can_.launches, device_.runtime())),
      distributor_(core_clock_, configuration, options.seed, options.waves),
      scheduler_("smx_scheduler", core_clock_, configuration.smx_scheduler, configuration.machine,
                 configuration.kernel_distributor.entries,
                 {slots_.kde_chain, slots_.group_allocator}, options.waves,
                 {can_.launches ? &device_.runtime() : nullptr, configuration.groups}),
      crossbar_(
          "crossbar", interconnect_clock_, configuration.crossbar,
          {configuration.machine.smx_count, configuration.l2.banks, configuration.longest_message(),
           [partition = configuration.l2.partition()](std::uint64_t address) {
               return partition.bank(address);
           },
           can_.launches ? 1U : 0U, configuration.l2.interleave},
          slots_.crossbar_allocator, options.waves),
      memory_(dram_clock_, configuration,
              {control.status(), slots_.dram_scheduler, links_, options.waves,
               options.check_protocols, options.memory, options.seed}),
      watchdog_(core_clock_, std::string(sc_module::name()) + ".watchdog", configuration.watchdog,
                {[this] { return progress(); },
                 [this] {
                     for (const auto& each : smxs_) each->watch_waiting();
                 }},
                control) {
    bind_launch_path();
    make_smxs(configuration, control, options);
    for (std::size_t i = 0; i < configuration.l2.banks; ++i) {
        l2_banks_.push_back(std::make_unique<l2_bank>(indexed_name("l2", i).c_str(), l2_clock_,
                                                      bank_id(i), configuration.l2,
                                                      control.status(), options.waves));
    }
    device_.on_marking([this](written_pages& in) {
        for (const auto& bank : l2_banks_) bank->mark_writes(in);
    });
    slots_.check();
    bind_blocks(options.log);
    bind_device_launches();
    bind_memory_path();
    bind_cooperation();
    control.set_netlist_report([this] { return waiting_report(); });
}

gpu::~gpu() {
    // The last one first: SystemC looks for a port from the end of its list of all ports.
    while (!smxs_.empty()) smxs_.pop_back();
}

void gpu::make_smxs(const gpu_configuration& configuration, run_control& control,
                    const gpu_options& options) {
    const smx_configurations smx_parameters{configuration.machine,
                                            configuration.smx,
                                            configuration.l1i,
                                            configuration.lsu,
                                            configuration.l1d,
                                            configuration.constant_cache,
                                            configuration.read_only_cache,
                                            configuration.shared,
                                            configuration.warp_scheduler,
                                            configuration.formations};
    const smx_slots slots{slots_.warp_scheduler, slots_.formation, slots_.tm_bank};
    const smx_environment environment{device_.programs(),
                                      device_.ranges(),
                                      control.status(),
                                      slots,
                                      can_,
                                      options.waves,
                                      &links_,
                                      options.load_latency,
                                      options.code_profile,
                                      &device_.runtime()};
    const pins::block_choice& choice = configuration.slots.smx;
    if (choice.implementation != pins::block_implementation::tlm) {
        smx_clock_ = std::make_unique<pins::pin_clock>("smx_clock", core_clock_,
                                                       configuration.pins.reset_clocks);
        guard_ = std::make_unique<pins_guard>(choice.implementation);
        device_.launches().observe(*guard_);
    }
    const smx_side_options parts{core_clock_, configuration, smx_parameters,
                                 environment, options.seed,  smx_clock_.get()};
    bool chosen = smx_clock_ == nullptr;
    for (std::size_t i = 0; i < configuration.machine.smx_count; ++i) {
        smxs_.push_back(std::make_unique<smx_side>(indexed_name("smx", i), sm_id(i), parts));
        chosen |= choice.of(smxs_.back()->name()) == choice.implementation;
    }
    if (chosen) return;
    throw configuration_error("slot.smx.where = '" + choice.where +
                              "' names no instance; there are: " + smxs_.front()->name() + " to " +
                              smxs_.back()->name());
}

clock_domain& gpu::clock(const char* name, std::uint32_t kilohertz, run_control& control,
                         const gpu_options& options) {
    const frequency rate = frequency::kilohertz(kilohertz);
    for (const auto& existing : clocks_) {
        if (existing->rate() == rate) return *existing;
    }
    clocks_.push_back(std::make_unique<clock_domain>(
        name, rate, clock_domain_options{&control, options.no_sleep}));
    return *clocks_.back();
}

/// Names of tracks are those of the blocks that the transactions go to, in a timeline from the
/// launch down.
void gpu::bind_launch_path() {
    links_.connect(host_.launch_socket, kmu_.launch_socket,
                   {"host_launch", kmu_.name(), "launches"});
    links_.connect(kmu_.dispatch_socket, distributor_.dispatch_socket(),
                   {"kernel_dispatch", distributor_.name(), "kernels"});
    links_.connect(distributor_.kernel_ready_socket(), scheduler_.kernel_ready_socket,
                   {"kernel_ready", scheduler_.name(), "kernel_ready"});
    links_.connect(scheduler_.block_update_socket, distributor_.block_update_socket(),
                   {"block_update", scheduler_.name(), "block_update"});
}

void gpu::bind_blocks(work_log* log) {
    if (log != nullptr) {
        launch_recorder_ = std::make_unique<launch_recorder>(core_clock_, *log);
        device_.launches().observe(*launch_recorder_);
    }
    for (std::size_t i = 0; i < smxs_.size(); ++i) {
        const protocol::link_name blocks{indexed_name("block", i), smxs_[i]->name(), "blocks"};
        if (log == nullptr) {
            links_.connect(scheduler_.smxs().block_socket, smxs_[i]->block_socket(), blocks);
            continue;
        }
        block_recorders_.push_back(std::make_unique<block_recorder>(
            indexed_name("block_log", i).c_str(), core_clock_, *log));
        block_recorder& recorder = *block_recorders_.back();
        links_.connect(scheduler_.smxs().block_socket, recorder.target_socket, blocks);
        recorder.initiator_socket.bind(smxs_[i]->block_socket());
    }
}

void gpu::bind_device_launches() {
    group_side* const groups = scheduler_.groups();
    if (groups == nullptr) return;
    for (std::size_t i = 0; i < smxs_.size(); ++i) {
        links_.connect(smxs_[i]->launch_socket(), kmu_.launch_socket,
                       {indexed_name("device_launch", i), smxs_[i]->name(), "launches"});
        links_.connect(smxs_[i]->aggregation_socket(), groups->aggregation_socket,
                       {indexed_name("aggregation", i), smxs_[i]->name(), "groups"});
    }
    links_.connect(*kmu_.over_socket, groups->over_socket, {"group_over", kmu_.name(), "groups"});
    links_.connect(groups->group_socket, *kmu_.group_socket,
                   {"group_update", scheduler_.name(), "groups"});
}

/// Weights after the measured host time of an evaluation (docs/parallel.md).
void gpu::share(crew& threads) {
    constexpr std::uint32_t smx_weight = 8, bank_weight = 2, port_weight = 1;
    for (const auto& each : smxs_) threads.share(each->core(), smx_weight);
    for (const auto& bank : l2_banks_) threads.share(*bank, bank_weight);
    const auto ports = static_cast<std::uint32_t>(smxs_.size() + l2_banks_.size());
    for (clocked* const way : {&crossbar_.requests(), &crossbar_.responses()}) {
        threads.share(*way, port_weight * ports / 2);
    }
    memory_.share(threads);
    threads.alone_when([this] { return watchdog_.looks(); });
}

/// Behind all others: the places of tracks in a timeline are given out in this order.
void gpu::bind_cooperation() {
    for (std::size_t i = 0; i < smxs_.size(); ++i) {
        links_.connect(smxs_[i]->cooperation_socket(), scheduler_.cooperation().cooperation_socket,
                       {indexed_name("cooperation", i), smxs_[i]->name(), "cooperation"});
    }
    for (std::size_t i = 0; can_.preempts && i < smxs_.size(); ++i) {
        links_.connect(scheduler_.smxs().preempt_socket, smxs_[i]->preempt_socket(),
                       {indexed_name("preempt", i), smxs_[i]->name(), "preempt"});
    }
}

void gpu::bind_memory_path() {
    for (std::size_t i = 0; i < smxs_.size(); ++i) {
        links_.connect(smxs_[i]->memory_socket(), crossbar_.smx_sockets[i],
                       {indexed_name("smx_memory", i), smxs_[i]->name(), "memory"});
    }
    if (group_side* const groups = scheduler_.groups()) {
        links_.connect(groups->memory_socket, crossbar_.smx_sockets[smxs_.size()],
                       {"record_memory", scheduler_.name(), "memory"});
    }
    host_.memory_socket.bind(crossbar_.debug_socket);
    for (std::size_t i = 0; i < l2_banks_.size(); ++i) {
        links_.connect(crossbar_.bank_sockets[i], l2_banks_[i]->network_socket,
                       {indexed_name("l2_request", i), l2_banks_[i]->name(), "requests"});
        links_.connect(l2_banks_[i]->memory_socket, memory_.port(static_cast<std::uint32_t>(i)),
                       {indexed_name("l2_memory", i), l2_banks_[i]->name(), "memory"}, true);
    }
}

/// What the watchdog counts; only its growth means something.
std::uint64_t gpu::progress() const {
    std::uint64_t sum = host_.submitted() + kmu_.device_launches_taken();
    for (const auto& each : smxs_) sum += each->progress();
    for (const auto& bank : l2_banks_) sum += bank->counts().changes;
    // Without an L2 only the memory knows whether a store changes anything.
    return sum + memory_.changes();
}

std::string gpu::waiting_report() const {
    std::vector<std::string> warps;
    for (const auto& each : smxs_) {
        std::vector<std::string> some = each->waiting_threads(watchdog_.spinning_since());
        std::move(some.begin(), some.end(), std::back_inserter(warps));
    }
    std::string text = simt::first_warps_text(warps);
    for (const auto& [link, transactions] : links_.open_transactions()) {
        if (transactions.empty()) continue;
        text += "\n  open on " + link + ": " + transactions.front();
        if (transactions.size() > 1) {
            text += ", and " + std::to_string(transactions.size() - 1) + " more";
        }
    }
    return text;
}

}  // namespace heddle
