// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx/smx_bench.h"

#include <fmt/format.h>

#include <cstring>

#include "models/iss/simulator.h"
#include "models/simt/progress_text.h"
#include "tb/kit/tlm_slots.h"

namespace heddle {

/// Tells of each call, and passes it on.
template <class Link>
class smx_bench::tapped_link final : public protocol::link_observer<Link> {
    using base = protocol::link_observer<Link>;

public:
    using typename base::payload_type;
    using typename base::phase_type;
    using listener = std::function<void(payload_type&, phase_type, bool)>;

    tapped_link(const sc_core::sc_module_name& name, listener tell)
        : base(name), tell_(std::move(tell)) {}

protected:
    tlm::tlm_sync_enum pass(protocol::path via, payload_type& payload, phase_type& phase,
                            sc_core::sc_time& time) override {
        tell_(payload, phase, via == protocol::path::forward);
        return base::pass(via, payload, phase, time);
    }

private:
    listener tell_;
};

smx_bench::smx_bench(testbench& bench, const smx_bench_configuration& c)
    : basic_device(c.machine, "SMX testbench"),
      bench_(bench),
      schedulers_(c.smx.schedulers),
      memory_(std::size_t{1} << 32),
      domain_("core", frequency::megahertz(706), bench.domain_options()),
      links_(c.check_links, bench.timeline()),
      smx_("smx", domain_, sm_id(0),
           {c.machine, c.smx, c.l1i, c.lsu, c.l1d, c.constant_cache, c.read_only_cache, c.shared,
            c.scheduler, c.formations},
           {programs(), ranges(), bench.status(),
            smx_slots{
                tlm_slots<warp_selection_traits>(domain_, bench.status(), bench.options().seed),
                tlm_slots<formation_traits>(domain_, bench.status()),
                tlm_slots<bank_state_traits>(domain_, bench.status())},
            capabilities_of(c.machine, c.smx, c.formations).alone(), bench.waves(), &links_}),
      blocks_(
          "block_source", domain_, c.machine, bench.stalls("block_source"),
          [this](const std::string& what) { bench_.check(false, what); },
          [this] { bench_.finish(); }),
      model_("memory", domain_, c.memory, memory_) {
    if (c.taps.block) {
        block_tap_ = std::make_unique<tapped_link<protocol::block_link>>("block_tap", c.taps.block);
        blocks_.socket.bind(block_tap_->target_socket);
        links_.connect(block_tap_->initiator_socket, smx_.block_socket, "block_link");
    } else {
        links_.connect(blocks_.socket, smx_.block_socket, "block_link");
    }
    if (c.taps.memory) {
        memory_tap_ =
            std::make_unique<tapped_link<protocol::memory_link>>("memory_tap", c.taps.memory);
        smx_.memory_socket.bind(memory_tap_->target_socket);
        links_.connect(memory_tap_->initiator_socket, model_.socket, "memory_link");
    } else {
        links_.connect(smx_.memory_socket, model_.socket, "memory_link");
    }
    bench_.control().set_netlist_report(
        [this] { return simt::first_warps_text(smx_.core().waiting_threads()); });
}

smx_bench::~smx_bench() = default;

void smx_bench::put(device_address to, const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(memory_.data() + to, from, bytes);
}

void smx_bench::get(void* to, device_address from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, memory_.data() + from, bytes);
}

launch_number smx_bench::launch(const program::kernel& kernel, const launch_shape& shape,
                                const std::vector<std::byte>& parameters) {
    launched_blocks_ += shape.grid.count();
    const prepared_launch& launch = *launches().enter(prepare(kernel, shape, parameters));
    blocks_.add(launch);
    return number_of(launch.id);
}

namespace {

/// Tells the testbench's watchdog that the SMX gets on: warps issue. A loop without end is found
/// by --max-cycles.
class progress_probe final : public clocked {
public:
    progress_probe(clock_domain& domain, testbench& bench, const smx_core& core)
        : clocked(domain, "progress_probe"), bench_(&bench), core_(&core) {}
    void evaluate() override {}
    activity update() override {
        const std::uint64_t issued = core_->counts().executed.warp_instructions;
        if (issued != seen_) bench_->progress();
        seen_ = issued;
        wake_at(domain().edge() + 1000);
        return activity::idle;
    }

private:
    testbench* bench_;
    const smx_core* core_;
    std::uint64_t seen_ = 0;
};

}  // namespace

error_kind smx_bench::run() {
    const progress_probe probe(domain_, bench_, smx_.core());
    const error_kind kind = bench_.run(domain_);
    if (kind != error_kind::none) return kind;
    bench_.check(blocks_.blocks_done() == launched_blocks_,
                 fmt::format("{} of {} blocks ended", blocks_.blocks_done(), launched_blocks_));
    bench_.check(model_.pending() == 0, "the last block has ended before its accesses");
    links_.report_lost();
    const smx_counts counts = smx_.core().counts();
    std::uint64_t sum = 0;
    for (const std::uint64_t cycles : counts.issue_slots) sum += cycles;
    bench_.check(sum == domain_.edge_count() * schedulers_,
                 fmt::format("the CPI stack sums to {}, but {} schedulers ran {} cycles", sum,
                             schedulers_, domain_.edge_count()));
    return bench_.status().kind();
}

std::string smx_bench::statistics_text() const {
    statistics all;
    smx_.collect(all, "smx");
    return fmt::format("cycles {}\n", domain_.edge_count()) + to_csv(all);
}

void run_alone(smx_bench& device, const std::string& program, const host_script& script) {
    device.load(std::make_shared<program::image>(program::image::load(program)));
    (void)script(device);
    (void)device.run();
}

void run_against_simulator(testbench& bench, smx_bench& device, const std::string& program,
                           const host_script& script) {
    const auto image = std::make_shared<program::image>(program::image::load(program));
    iss::functional_simulator golden(device.parameters());
    golden.load(image);
    const std::vector<observed_buffer> wanted = script(golden);
    golden.synchronize();
    device.load(image);
    const std::vector<observed_buffer> found = script(device);
    if (device.run() != error_kind::none) return;
    for (std::size_t b = 0; b < wanted.size(); ++b) {
        std::vector<std::uint8_t> want(wanted[b].bytes), have(found[b].bytes);
        golden.read(want.data(), wanted[b].address, want.size());
        device.read(have.data(), found[b].address, have.size());
        for (std::size_t byte = 0; byte < want.size(); ++byte) {
            if (want[byte] == have[byte]) continue;
            bench.check(false, fmt::format("'{}' differs from the functional simulator at byte {}: "
                                           "0x{:02x}, expected 0x{:02x}",
                                           wanted[b].name, byte, have[byte], want[byte]));
            break;
        }
    }
}

}  // namespace heddle
