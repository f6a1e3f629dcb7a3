// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/memory_side.h"

#include "hw/base/crew.h"

namespace heddle {

using pins::block_implementation;

memory_side::memory_side(clock_domain& domain, const gpu_configuration& configuration,
                         const memory_side_options& options)
    : domain_(domain), ports_(configuration.l2.banks), others_(options.memory) {
    const axi::memory_bus bus = configuration.bus.bus;
    if (bus == axi::memory_bus::axi_rtl) {
        dram_ = std::make_unique<dram>("dram", ports_);
    } else if (others_) {
        // a port for each bank
    } else if (configuration.memory.model == memory_model::fixed) {
        fixed_ = std::make_unique<fixed_latency_memory>(
            "memory", domain, configuration.fixed_memory, ports_, options.waves);
    } else {
        make_controllers(domain, configuration, options);
    }
    if (bus != axi::memory_bus::tlm) make_buses(domain, configuration, options);
}

void memory_side::make_controllers(clock_domain& domain, const gpu_configuration& configuration,
                                   const memory_side_options& options) {
    dram_ = std::make_unique<dram>("dram", ports_);
    for (std::uint32_t i = 0; i < ports_; ++i) {
        channels_.push_back(make_channel(i, domain, configuration, options));
    }
    if (configuration.slots.memory_controller.implementation != block_implementation::tlm &&
        controller_clock_ == nullptr) {
        throw configuration_error(
            "slot.memory_controller.where = '" + configuration.slots.memory_controller.where +
            "' names no instance; there are: " + channels_.front().controller->name() + " to " +
            channels_.back().controller->name());
    }
}

memory_side::channel memory_side::make_channel(std::uint32_t i, clock_domain& domain,
                                               const gpu_configuration& configuration,
                                               const memory_side_options& options) {
    channel made;
    const std::string name = "memory_controller_" + std::to_string(i);
    const sc_core::sc_object* const above = dram_->get_parent_object();
    const std::string path = above == nullptr ? name : above->name() + ("." + name);
    const block_implementation what = configuration.slots.memory_controller.of(path);
    const memory_controller_configuration& settings = configuration.dram;
    const protocol::link_name dram_link{"dram_" + std::to_string(i), path, "dram"};
    if (what != block_implementation::tlm) {
        if (controller_clock_ == nullptr) {
            controller_clock_ = std::make_unique<pins::pin_clock>("memory_controller_clock", domain,
                                                                  configuration.pins.reset_clocks);
        }
        made.behind = std::make_unique<pins::memory_controller_pins>(
            (name + "_pins").c_str(),
            pins::memory_controller_pins::options{*controller_clock_, configuration.pins, what,
                                                  settings, dram::bytes, options.seed,
                                                  options.status, options.waves});
    }
    if (what == block_implementation::rtl) {
        options.links.connect(made.behind->memory_socket(), dram_->channel_sockets[i], dram_link,
                              true);
        return made;
    }
    made.controller = std::make_unique<memory_controller>(
        name.c_str(), domain, settings,
        channel_addresses{dram::bytes,
                          [partition = configuration.l2.partition()](std::uint64_t address) {
                              return partition.offset(address);
                          },
                          dram_->data()},
        options.schedulers, options.status, options.waves);
    memory_controller& controller = *made.controller;
    if (made.behind != nullptr) {
        options.links.connect(made.behind->memory_socket(), controller.request_socket,
                              {"pins_to_memory_" + std::to_string(i), path, "pins"}, true);
    }
    options.links.connect(controller.dram_socket, dram_->channel_sockets[i], dram_link, true);
    if (options.check_commands) {
        checkers_.push_back(std::make_unique<command_checker>(
            controller.name(), settings.timing, settings.banks(), settings.bank_groups));
        controller.observe(*checkers_.back());
    }
    return made;
}

void memory_side::make_buses(clock_domain& domain, const gpu_configuration& configuration,
                             const memory_side_options& options) {
    bus_clock_ =
        std::make_unique<pins::pin_clock>("axi_clock", domain, configuration.pins.reset_clocks);
    for (std::uint32_t i = 0; i < ports_; ++i) {
        const std::string number = std::to_string(i);
        buses_.push_back(std::make_unique<axi::axi_link>(
            ("axi_" + number).c_str(), *bus_clock_,
            axi::axi_link_options{configuration.bus, configuration.pins, configuration.l2.line,
                                  options.seed, options.waves}));
        axi::axi_link& bus = *buses_.back();
        if (configuration.bus.bus == axi::memory_bus::axi_rtl) {
            bus.memory_socket().bind(dram_->channel_sockets[i]);
        } else {
            options.links.connect(bus.memory_socket(), memory_port(i),
                                  {"axi_memory_" + number, bus.name(), "memory"}, true);
        }
    }
}

memory_side::~memory_side() = default;

void memory_side::share(crew& threads) {
    constexpr std::uint32_t controller_weight = 4, port_weight = 2;
    for (const channel& each : channels_) {
        if (each.controller == nullptr) continue;
        memory_controller& controller = *each.controller;
        // With an edge of lookahead and more, what falls between two edges of the core may be late.
        const bool ahead = threads.has_late_edges() && controller.lookahead() > 1;
        if (ahead) {
            controller.respond_ahead();
            threads.share(controller, controller, controller_weight);
        } else {
            threads.share(controller, controller_weight);
        }
    }
    if (fixed_ != nullptr) fixed_->share(threads, port_weight);
}

tlm::tlm_target_socket<32>& memory_side::port(std::uint32_t i) {
    return buses_.empty() ? memory_port(i) : buses_[i]->request_socket();
}

tlm::tlm_target_socket<32>& memory_side::memory_port(std::uint32_t i) {
    if (others_) return others_(i);
    if (fixed_ != nullptr) return fixed_->port_sockets[i];
    const channel& at = channels_[i];
    return at.behind != nullptr ? at.behind->request_socket() : at.controller->request_socket;
}

/// Of RTL only what goes over the pins is known.
memory_counts memory_side::channel::counts(std::uint64_t now) const {
    if (controller != nullptr) return controller->counts(now);
    const pins::pin_memory_counts& seen = behind->counts();
    memory_counts all;
    all.reads = seen.reads;
    all.writes = seen.writes;
    all.bytes_read = seen.bytes_read;
    all.bytes_written = seen.bytes_written;
    all.errors = seen.errors;
    return all;
}

memory_counts memory_side::counts(std::uint64_t now) const {
    if (fixed_ != nullptr) {
        return fixed_->counts(now);
    }
    memory_counts sum;
    if (dram_ != nullptr && channels_.empty()) {  // behind RTL, which does not count
        const memory_traffic traffic = dram_->traffic();
        sum.reads = traffic.reads;
        sum.writes = traffic.writes;
        sum.bytes_read = traffic.bytes_read;
        sum.bytes_written = traffic.bytes_written;
        sum.errors = traffic.errors;
    }
    for (const channel& each : channels_) add_counts<memory_counts>(sum, each.counts(now));
    sum.changes = changes();
    return sum;
}

std::uint64_t memory_side::changes() const {
    if (others_ && dram_ == nullptr) return 0;
    return fixed_ != nullptr ? fixed_->counts().changes : dram_->traffic().changes;
}

void memory_side::collect(statistics& out) const {
    declare_counted(out, "dram", memory_statistics);
    set_counted(out, "dram", memory_statistics, counts());
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        const std::string scope = "memory_controller." + std::to_string(i);
        if (channels_[i].controller != nullptr) {
            channels_[i].controller->collect(out, scope);
            continue;
        }
        declare_counted(out, scope, memory_statistics);
        set_counted<memory_counts>(out, scope, memory_statistics,
                                   channels_[i].counts(domain_.edge_count()));
    }
}

}  // namespace heddle
