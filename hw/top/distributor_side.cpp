// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/distributor_side.h"

#include "models/base/error.h"

namespace heddle {

using pins::block_implementation;

distributor_side::distributor_side(clock_domain& domain, const gpu_configuration& configuration,
                                   std::uint64_t seed, waveform* waves) {
    constexpr const char* name = "kernel_distributor";
    const sc_core::sc_object* const above = domain.get_parent_object();
    name_ = above == nullptr ? name : std::string(above->name()) + "." + name;
    const pins::block_choice& choice = configuration.slots.kernel_distributor;
    const unsigned smx_count = configuration.machine.smx_count;
    const block_implementation what = choice.of(name_);
    if (what != choice.implementation) {
        throw configuration_error("slot.kernel_distributor.where = '" + choice.where +
                                  "' names no instance; there is: " + name_);
    }
    if (what == block_implementation::tlm) {
        plain_ = std::make_unique<kernel_distributor>(
            name, domain, configuration.kernel_distributor, smx_count, waves);
        return;
    }
    behind_ = std::make_unique<pins::kernel_distributor_pins>(
        "kernel_distributor_pins", pins::kernel_distributor_pins::options{
                                       domain, configuration.pins, what,
                                       configuration.kernel_distributor, smx_count, seed, waves});
}

distributor_side::~distributor_side() = default;

protocol::target_socket_base<protocol::kernel_dispatch_link>& distributor_side::dispatch_socket() {
    if (plain_ != nullptr) return plain_->dispatch_socket;
    return behind_->front().dispatch_socket;
}

protocol::initiator_socket_base<protocol::kde_link>& distributor_side::kernel_ready_socket() {
    if (plain_ != nullptr) return plain_->kernel_ready_socket;
    return behind_->front().kernel_ready_socket;
}

protocol::target_socket_base<protocol::kde_link>& distributor_side::block_update_socket() {
    if (plain_ != nullptr) return plain_->block_update_socket;
    return behind_->front().block_update_socket;
}

void distributor_side::collect(statistics& out, const std::string& scope) const {
    if (plain_ != nullptr) {
        plain_->collect(out, scope);
    } else {
        behind_->collect(out, scope);
    }
}

}  // namespace heddle
