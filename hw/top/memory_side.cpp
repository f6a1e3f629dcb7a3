// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/memory_side.h"

namespace heddle {

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
    const memory_controller_configuration& channel = configuration.dram;
    dram_ = std::make_unique<dram>("dram", ports_);
    const channel_addresses addresses{
        dram::bytes, [partition = configuration.l2.partition()](std::uint64_t address) {
            return partition.offset(address);
        }};
    for (std::uint32_t i = 0; i < ports_; ++i) {
        const std::string name = "memory_controller_" + std::to_string(i);
        controllers_.push_back(std::make_unique<memory_controller>(name.c_str(), domain, channel,
                                                                   addresses, options.schedulers,
                                                                   options.status, options.waves));
        memory_controller& controller = *controllers_.back();
        options.links.connect(controller.dram_socket, dram_->channel_sockets[i],
                              {"dram_" + std::to_string(i), controller.name(), "dram"}, true);
        if (options.check_commands) {
            checkers_.push_back(std::make_unique<command_checker>(
                controller.name(), channel.timing, channel.banks(), channel.bank_groups));
            controller.observe(*checkers_.back());
        }
    }
}

void memory_side::make_buses(clock_domain& domain, const gpu_configuration& configuration,
                             const memory_side_options& options) {
    pin_clock_ =
        std::make_unique<pins::pin_clock>("axi_clock", domain, configuration.pins.reset_clocks);
    for (std::uint32_t i = 0; i < ports_; ++i) {
        const std::string number = std::to_string(i);
        buses_.push_back(std::make_unique<axi::axi_link>(
            ("axi_" + number).c_str(), *pin_clock_,
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

tlm::tlm_target_socket<32>& memory_side::port(std::uint32_t i) {
    return buses_.empty() ? memory_port(i) : buses_[i]->request_socket();
}

tlm::tlm_target_socket<32>& memory_side::memory_port(std::uint32_t i) {
    if (others_) return others_(i);
    return fixed_ != nullptr ? fixed_->port_sockets[i] : controllers_[i]->request_socket;
}

memory_counts memory_side::counts(std::uint64_t now) const {
    if (fixed_ != nullptr) {
        return fixed_->counts(now);
    }
    memory_counts sum;
    if (dram_ != nullptr && controllers_.empty()) {  // behind RTL, which does not count
        const memory_traffic& traffic = dram_->traffic();
        sum.reads = traffic.reads;
        sum.writes = traffic.writes;
        sum.bytes_read = traffic.bytes_read;
        sum.bytes_written = traffic.bytes_written;
        sum.errors = traffic.errors;
    }
    for (const auto& each : controllers_) add_counts<memory_counts>(sum, each->counts(now));
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
    for (std::size_t i = 0; i < controllers_.size(); ++i) {
        controllers_[i]->collect(out, "memory_controller." + std::to_string(i));
    }
}

}  // namespace heddle
