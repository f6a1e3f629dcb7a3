// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kernel_distributor/kernel_distributor.h"

#include <utility>

#include "hw/base/report_error.h"

namespace heddle {

using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::launch_phase;

kernel_distributor::kernel_distributor(const sc_core::sc_module_name& name, clock_domain& domain,
                                       const kernel_distributor_configuration& configuration,
                                       unsigned smx_count, waveform* waves)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      dispatch_socket("dispatch_socket"),
      kernel_ready_socket("kernel_ready_socket"),
      block_update_socket("block_update_socket"),
      entries_(configuration.entries),
      launches_(configuration.entries),
      // Both inboxes may hold what came at the last edge and what comes at this one.
      requests_(*this, 2),
      updates_(*this, std::size_t{2} * (3 * smx_count + 2 * configuration.entries)),
      ready_pool_(std::string(sc_module::name()) + ".kernel_ready"),
      credits_(configuration.entries) {
    dispatch_socket.register_nb_transport_fw(this, &kernel_distributor::take_request);
    block_update_socket.register_nb_transport_fw(this, &kernel_distributor::take_update);
    if (waves != nullptr) {
        declare_waves(*waves);
    }
}

tlm::tlm_sync_enum kernel_distributor::take_request(kernel_launch& launch, launch_phase& phase,
                                                    sc_core::sc_time&) {
    if (phase != launch_phase::request) {
        report_error(kernel_distributor_report::protocol,
                     "phase on the forward path of dispatch_socket is not request; legal: "
                     "request");
        return tlm::TLM_ACCEPTED;
    }
    const bool accepted = credits_ > 0;
    if (!requests_.push({launch_ptr(&launch), accepted})) {
        report_error(kernel_distributor_report::protocol,
                     "launch " + to_text(launch.launch) +
                         " came before the last one was accepted; legal: one at a time");
        return tlm::TLM_ACCEPTED;
    }
    if (!accepted) {
        return tlm::TLM_ACCEPTED;
    }
    --credits_;
    phase = launch_phase::accepted;
    return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum kernel_distributor::take_update(kde_update& update, kde_phase&,
                                                   sc_core::sc_time&) {
    if (!updates_.push(update_ptr(&update))) {
        report_error(kernel_distributor_report::protocol,
                     "more updates in a cycle than the SMXs can cause; legal: a block started, "
                     "a kernel exhausted and a block finished for each SMX");
    }
    return tlm::TLM_COMPLETED;
}

void kernel_distributor::evaluate() {
    // (1) blocks that have started or finished; entries without blocks are released
    apply_updates();
    // (2) the next kernel
    take_launch();
}

void kernel_distributor::apply_updates() {
    while (updates_.ready() != nullptr) {
        const update_ptr update = updates_.pop();
        apply(*update);
    }
}

void kernel_distributor::apply(const kde_update& update) {
    bool legal = false;
    const kde_index entry = update.kde;
    if (entry.value() < entries_.size() && entries_[entry].launch == update.launch) {
        switch (update.event) {
            case kde_event::block_started:
                legal = entries_.start_block(entry, update.of_group);
                break;
            case kde_event::block_finished:
                legal = entries_.finish_block(entry);
                break;
            case kde_event::blocks_exhausted:
                legal = entries_.exhaust(entry);
                break;
            case kde_event::hold:
                legal = entries_.hold(entry);
                break;
            case kde_event::release:
                legal = entries_.drop(entry);
                break;
            default:
                break;
        }
    }
    if (!legal || !entries_.set_groups(entry, update.next_group, update.last_group)) {
        report_error(kernel_distributor_report::protocol,
                     "update " + std::to_string(static_cast<unsigned>(update.event)) +
                         " for entry " + std::to_string(entry.value()) + ", launch " +
                         to_text(update.launch) + ", block " + std::to_string(update.block) +
                         " does not fit the entry's state; legal: each block of its kernel starts "
                         "and finishes once, exhausted follows the last start");
        return;
    }
    if (!waves_.empty()) {
        changed_.push_back(entry);
    }
    if (entries_[entry].finished()) {
        release(entry);
    }
}

void kernel_distributor::release(kde_index entry) {
    (void)entries_.release(entry);
    occupancy_.set(clocked::domain().edge(), entries_.used());
    ++completed_;
    const launch_ptr launch = std::move(launches_[entry]);
    launch->outcome = protocol::launch_outcome::completed;
    launch_phase phase = launch_phase::completed;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    dispatch_socket->nb_transport_bw(*launch, phase, delay);
}

void kernel_distributor::take_launch() {
    if (requests_.ready() == nullptr || entries_.free() == 0) {
        return;
    }
    const request taken = requests_.pop();
    kernel_launch& launch = *taken.launch;
    kernel_entry kernel;
    kernel.launch = launch.launch;
    kernel.entry_pc = launch.entry_pc;
    kernel.grid = launch.grid;
    kernel.block = launch.block;
    kernel.parameter_address = launch.parameter_address;
    kernel.cooperative = launch.cooperative;
    const kde_index entry = *entries_.take(kernel);
    launches_[entry] = taken.launch;
    occupancy_.set(clocked::domain().edge(), entries_.used());
    ++taken_;
    if (!waves_.empty()) {
        changed_.push_back(entry);
    }
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (!taken.accepted) {
        launch_phase phase = launch_phase::accepted;
        dispatch_socket->nb_transport_bw(launch, phase, delay);
    }
    const update_ptr ready = ready_pool_.make();
    ready->launch = launch.launch;
    ready->kde = entry;
    ready->event = kde_event::kernel_ready;
    ready->kernel = taken.launch;
    kde_phase phase = kde_phase::update;
    kernel_ready_socket->nb_transport_fw(*ready, phase, delay);
}

activity kernel_distributor::update() {
    // The launches in the inbox take their entries first, accepted or not.
    const auto promised = static_cast<unsigned>(requests_.size());
    credits_ = entries_.free() > promised ? entries_.free() - promised : 0;
    if (!waves_.empty()) {
        show_waves();
    }
    return activity::idle;
}

std::string kernel_distributor::waiting_for() const {
    if (entries_.used() == 0 && requests_.empty()) {
        return {};
    }
    std::uint64_t left = 0;
    std::uint64_t executing = 0;
    for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
        left += entries_[kde_index(entry)].blocks_left;
        executing += entries_[kde_index(entry)].blocks_executing;
    }
    return std::to_string(entries_.used()) + " kernels with " + std::to_string(executing) +
           " blocks in execution and " + std::to_string(left) + " to distribute; " +
           std::to_string(requests_.size()) + " launches waiting for an entry";
}

void kernel_distributor::collect(statistics& out, const std::string& scope) const {
    const std::uint64_t end = clocked::domain().edge();
    out.declare(scope, kernel_distributor_statistics);
    out.set(scope + ".kernels", taken_);
    out.set(scope + ".completed", completed_);
    out.set(scope + ".occupancy", occupancy_.mean(end));
    out.set(scope + ".occupancy_maximum", occupancy_.maximum());
    out.set(scope + ".busy_cycles", occupancy_.busy(end));
}

void kernel_distributor::declare_waves(waveform& waves) {
    for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
        const std::string scope = std::string(sc_module::name()) + ".kde_" + std::to_string(entry);
        entry_waves shown;
        shown.valid = waves.declare_bits(scope + ".valid", 1);
        shown.kernel = waves.declare_text(scope + ".kernel");
        shown.launch = waves.declare_integer(scope + ".launch");
        shown.executing = waves.declare_integer(scope + ".exebl");
        shown.left = waves.declare_integer(scope + ".blocks_left");
        shown.next_group = waves.declare_integer(scope + ".nagei");
        shown.last_group = waves.declare_integer(scope + ".lagei");
        shown.entry_pc = waves.declare_bits(scope + ".entry_pc", 32);
        waves_.emplace_back(shown);
        changed_.push_back(kde_index(entry));
    }
}

void kernel_distributor::show_waves() {
    for (const kde_index index : changed_) {
        const kernel_entry& entry = entries_[index];
        entry_waves& shown = waves_[index];
        shown.valid.set(entry.valid ? 1 : 0);
        shown.kernel.set(entry.valid ? launches_[index]->kernel_name : std::string_view());
        shown.launch.set(entry.launch.value());
        shown.executing.set(entry.blocks_executing);
        shown.left.set(entry.blocks_left);
        shown.next_group.set(show_group(entry.next_group));
        shown.last_group.set(show_group(entry.last_group));
        shown.entry_pc.set(entry.entry_pc);
    }
    changed_.clear();
}

}  // namespace heddle
