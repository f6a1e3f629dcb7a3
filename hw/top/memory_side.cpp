// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/memory_side.h"

namespace heddle {

memory_side::memory_side(clock_domain& domain, const gpu_configuration& configuration,
                         const memory_side_options& options)
    : domain_(domain), ports_(configuration.l2.banks), others_(options.memory) {
    if (others_) return;
    if (configuration.memory.model == memory_model::fixed) {
        fixed_ = std::make_unique<fixed_latency_memory>(
            "memory", domain, configuration.fixed_memory, ports_, options.waves);
        return;
    }
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

memory_side::~memory_side() = default;

tlm::tlm_target_socket<32>& memory_side::port(std::uint32_t i) {
    if (others_) return others_(i);
    return fixed_ != nullptr ? fixed_->port_sockets[i] : controllers_[i]->request_socket;
}

memory_counts memory_side::counts(std::uint64_t now) const {
    if (fixed_ != nullptr) {
        return fixed_->counts(now);
    }
    memory_counts sum;
    for (const auto& each : controllers_) add_counts<memory_counts>(sum, each->counts(now));
    sum.changes = changes();
    return sum;
}

std::uint64_t memory_side::changes() const {
    if (others_) return 0;
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
