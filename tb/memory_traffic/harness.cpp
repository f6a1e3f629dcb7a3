// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/memory_traffic/harness.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include "hw/base/has_process.h"
#include "hw/crossbar/allocators.h"
#include "hw/crossbar/crossbar.h"
#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "hw/dram/fixed_latency_memory.h"
#include "hw/l2/l2_bank.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/protocol/instrumentation.h"
#include "tb/kit/tlm_slots.h"
#include "tb/memory_traffic/client.h"
#include "tb/memory_traffic/flat_bank.h"
#include "tb/memory_traffic/foreign_memory.h"

namespace heddle::traffic {

void harness_options::add_to(command_line& line) {
    line.number("--clients", clients, "Clients, one for each SMX port", 1, 16);
    line.number("--lines", lines, "Lines of memory that are fought for", 1, 4096);
    line.number("--accesses", accesses, "Accesses of each client");
    line.number("--outstanding", outstanding, "Accesses that a client has under way", 1, 1024);
    line.choice<memory_kind_option>("--memory", memory,
                                    {{"fixed_latency", memory_kind_option::fixed_latency},
                                     {"gddr", memory_kind_option::gddr},
                                     {"foreign", memory_kind_option::foreign},
                                     {"foreign_lt", memory_kind_option::foreign_lt},
                                     {"no_byte_enables", memory_kind_option::no_byte_enables}},
                                    "What stands behind the L2 banks");
    line.flag("--no-cache", no_cache, "l2.size = 0");
    line.flag("--permute", permute, "Builds the modules in the opposite order");
    line.flag("--no-debug", no_debug, "No debug accesses during the run");
    line.flag("--fixed", fixed, "The default parameters instead of random small ones");
    line.flag("--no-checkers", no_checkers, "No protocol checkers");
    line.flag("--statistics", statistics, "Prints the statistics");
}

namespace {

struct configurations {
    l2_configuration l2;
    crossbar_configuration crossbar;
    memory_configuration memory;
    memory_controller_configuration channel;
    std::uint64_t core_mhz = 706, crossbar_mhz = 706, l2_mhz = 706, memory_mhz = 706;
};

/// Operands of the longest atomic access.
constexpr std::uint32_t longest_data = 8 * line_words;

/// Small enough that every queue, register and buffer fills up.
configurations draw(testbench& bench, const harness_options& options) {
    configurations c;
    random_stream random = bench.random("configuration");
    const auto some = [&](unsigned low, unsigned high) {
        return low + static_cast<unsigned>(random.below(high - low + 1));
    };
    c.l2.banks = options.with_crossbar ? some(1, 4) : 1;
    if (!options.fixed) {
        c.l2.ways = some(1, 4);
        c.l2.size = c.l2.banks * c.l2.ways * c.l2.line * some(1, 4);
        c.l2.sector = 32U << some(0, 2);
        c.l2.interleave = 128U << some(0, 2);
        c.l2.hit_latency = some(1, 20);
        c.l2.mshrs = some(1, 6);
        c.l2.mshr_targets = some(1, 4);
        c.l2.queue = some(1, 4);
        c.l2.response_queue = some(1, 8);
        c.l2.write_buffer = some(1, 4);
        crossbar_configuration& bar = c.crossbar;
        bar.allocator = allocators::all()[some(0, allocators::all().size() - 1)];
        bar.iterations = some(1, 3);
        bar.input_speedup = some(1, 3);
        bar.check = static_cast<output_check>(some(0, 1));
        bar.flit_bytes = 8U << some(0, 3);
        const unsigned longest = (bar.header_bytes + longest_data) / bar.flit_bytes + 1;
        bar.input_buffer = longest + some(0, 16);
        bar.output_buffer = longest + some(0, 16);
        bar.latency = some(1, 12);
        c.memory = {some(1, 60), 8U << some(0, 3), some(1, 8)};
        c.crossbar_mhz = some(300, 1200);
        c.l2_mhz = some(300, 1200);
        c.memory_mhz = random.chance(0.5) ? c.l2_mhz : some(300, 1200);
        c.channel.queue = some(2, 12);
        c.channel.write_high_watermark = some(2, c.channel.queue);
        c.channel.write_low_watermark = some(0, c.channel.write_high_watermark - 1);
        c.channel.response_queue = some(1, 12);
        c.channel.timing.refi = some(0, 1) * 2000;
        c.channel.timing.rfc = 100;
    } else {
        c.l2.size = 262'144 * c.l2.banks;
    }
    c.l2.size = options.no_cache ? 0 : c.l2.size;
    return c;
}

/// The host: debug accesses between the edges of the clocks, and the end of the run.
class supervisor final : public sc_core::sc_module, public clocked {
public:
    supervisor(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
               scoreboard& reference, scoreboard::debug_access transport, bool debugs)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          bench_(bench),
          reference_(reference),
          transport_(std::move(transport)),
          random_(bench.random(part_name())) {
        HEDDLE_HAS_PROCESS(supervisor);
        if (debugs) {
            SC_THREAD(look);
        }
    }
    std::function<bool()> done = [] { return false; };
    /// Left open if there is no crossbar.
    tlm_utils::simple_initiator_socket_optional<supervisor, protocol::socket_width,
                                                protocol::memory_link>
        debug_socket{"debug_socket"};

    void evaluate() override {
        if (done()) {
            bench_.finish();
        }
    }
    activity update() override { return activity::busy; }

private:
    void look() {
        for (;;) {
            wait(sc_core::sc_time(1001 + 2 * random_.below(20'000), sc_core::SC_PS));
            reference_.debug(random_, transport_, true);
        }
    }

    testbench& bench_;
    scoreboard& reference_;
    scoreboard::debug_access transport_;
    random_stream random_;
};

class machine {
public:
    machine(testbench& bench, const harness_options& options);
    void run();

private:
    void build_clients();
    void build_memory();
    void build_channels();
    [[nodiscard]] tlm::tlm_target_socket<32>* memory_port(unsigned i);
    void connect();

    testbench& bench_;
    const harness_options options_;
    const configurations c_;
    std::vector<std::uint8_t> foreign_bytes_;
    scoreboard reference_;
    std::unique_ptr<clock_domain> core_, crossbar_clock_, l2_clock_, memory_clock_;
    std::vector<std::unique_ptr<client>> clients_;
    std::unique_ptr<crossbar> crossbar_;
    std::vector<std::unique_ptr<l2_bank>> banks_;
    std::vector<std::unique_ptr<flat_bank>> flat_banks_;
    std::unique_ptr<fixed_latency_memory> memory_;
    std::vector<std::unique_ptr<memory_controller>> controllers_;
    std::vector<std::unique_ptr<command_checker>> checkers_;
    std::unique_ptr<dram> dram_;
    std::vector<std::unique_ptr<foreign::at_memory>> foreign_;
    std::vector<std::unique_ptr<foreign::lt_memory>> foreign_lt_;
    std::unique_ptr<supervisor> supervisor_;
    protocol::instrumentation observers_;
};

machine::machine(testbench& bench, const harness_options& options)
    : bench_(bench),
      options_(options),
      c_(draw(bench, options)),
      reference_(bench, options.clients, options.lines),
      observers_(!options.no_checkers, bench.timeline()) {
    const auto clock = [&](const char* name, std::uint64_t mhz) {
        return std::make_unique<clock_domain>(name, frequency::megahertz(mhz),
                                              bench_.domain_options());
    };
    if (options.permute) {
        memory_clock_ = clock("memory_clock", c_.memory_mhz);
        l2_clock_ = clock("l2_clock", c_.l2_mhz);
        crossbar_clock_ = clock("crossbar_clock", c_.crossbar_mhz);
        core_ = clock("core_clock", c_.core_mhz);
        build_memory();
        build_clients();
    } else {
        core_ = clock("core_clock", c_.core_mhz);
        crossbar_clock_ = clock("crossbar_clock", c_.crossbar_mhz);
        l2_clock_ = clock("l2_clock", c_.l2_mhz);
        memory_clock_ = clock("memory_clock", c_.memory_mhz);
        build_clients();
        build_memory();
    }
    connect();
}

void machine::build_clients() {
    const unsigned links = options_.with_crossbar ? options_.clients : 1;
    for (unsigned i = 0; i < links; ++i) {
        const unsigned number = options_.permute ? links - 1 - i : i;
        clients_.push_back(std::make_unique<client>(
            ("client_" + std::to_string(number)).c_str(), *core_, bench_, reference_,
            client_options{number, options_.clients / links,
                           options_.accesses * options_.clients / links, options_.outstanding}));
    }
    if (options_.permute) {
        std::reverse(clients_.begin(), clients_.end());
    }
    if (options_.with_crossbar) {
        const l2_partition partition = c_.l2.partition();
        const crossbar_ports ports{
            options_.clients, c_.l2.banks, longest_data,
            [partition](std::uint64_t address) { return partition.bank(address); }};
        crossbar_ = std::make_unique<crossbar>(
            "crossbar", *crossbar_clock_, c_.crossbar, ports,
            tlm_slots<allocator_traits>(*crossbar_clock_, bench_.status(), bench_.options().seed),
            bench_.waves());
    }
}

void machine::build_memory() {
    if (!options_.with_l2) {
        foreign_bytes_.resize(std::size_t{options_.lines} * line_bytes);
        for (unsigned i = 0; i < c_.l2.banks; ++i) {
            flat_banks_.push_back(std::make_unique<flat_bank>(
                ("l2_bank_" + std::to_string(i)).c_str(), *l2_clock_, bench_, foreign_bytes_));
        }
        return;
    }
    if (options_.memory == memory_kind_option::fixed_latency) {
        memory_ = std::make_unique<fixed_latency_memory>("memory", *memory_clock_, c_.memory,
                                                         c_.l2.banks, bench_.waves());
    } else if (options_.memory == memory_kind_option::gddr) {
        build_channels();
    } else {
        foreign_bytes_.resize(std::size_t{options_.lines} * line_bytes);
        for (unsigned i = 0; i < c_.l2.banks; ++i) {
            foreign::memory_options kind;
            kind.byte_enables = options_.memory != memory_kind_option::no_byte_enables;
            kind.seed = static_cast<unsigned>(bench_.options().seed) + i;
            const std::string name = "memory_" + std::to_string(i);
            if (options_.memory == memory_kind_option::foreign_lt) {
                foreign_lt_.push_back(std::make_unique<foreign::lt_memory>(
                    name.c_str(), foreign_bytes_, region, kind));
            } else {
                foreign_.push_back(std::make_unique<foreign::at_memory>(
                    name.c_str(), foreign_bytes_, region, kind));
            }
        }
    }
    for (unsigned i = 0; i < c_.l2.banks; ++i) {
        banks_.push_back(std::make_unique<l2_bank>(("l2_bank_" + std::to_string(i)).c_str(),
                                                   *l2_clock_, bank_id(i), c_.l2, bench_.status(),
                                                   bench_.waves()));
    }
}

void machine::build_channels() {
    dram_ = std::make_unique<dram>("dram", c_.l2.banks);
    const l2_partition partition = c_.l2.partition();
    for (unsigned i = 0; i < c_.l2.banks; ++i) {
        controllers_.push_back(std::make_unique<memory_controller>(
            ("memory_controller_" + std::to_string(i)).c_str(), *memory_clock_, c_.channel,
            channel_addresses{
                dram::bytes,
                [partition](std::uint64_t address) { return partition.offset(address); }},
            tlm_slots<request_scheduler_traits>(*memory_clock_, bench_.status()), bench_.status(),
            bench_.waves()));
        controllers_[i]->dram_socket.bind(dram_->channel_sockets[i]);
        checkers_.push_back(std::make_unique<command_checker>(controllers_[i]->name(),
                                                              c_.channel.timing, c_.channel.banks(),
                                                              c_.channel.bank_groups));
        controllers_[i]->observe(*checkers_[i]);
    }
}

tlm::tlm_target_socket<32>* machine::memory_port(unsigned i) {
    return memory_ != nullptr      ? &memory_->port_sockets[i]
           : !controllers_.empty() ? &controllers_[i]->request_socket
           : !foreign_.empty()     ? &foreign_[i]->socket
                                   : nullptr;
}

void machine::connect() {
    if (crossbar_ == nullptr) {
        observers_.connect(clients_[0]->socket, banks_[0]->network_socket, "client_link");
    } else {
        for (unsigned i = 0; i < clients_.size(); ++i) {
            observers_.connect(clients_[i]->socket, crossbar_->smx_sockets[i],
                               "smx_link_" + std::to_string(i));
        }
    }
    for (unsigned i = 0; i < flat_banks_.size(); ++i) {
        observers_.connect(crossbar_->bank_sockets[i], flat_banks_[i]->socket,
                           "bank_link_" + std::to_string(i));
    }
    for (unsigned i = 0; i < banks_.size(); ++i) {
        const std::string number = std::to_string(i);
        if (crossbar_ != nullptr) {
            observers_.connect(crossbar_->bank_sockets[i], banks_[i]->network_socket,
                               "bank_link_" + number);
        }
        if (tlm::tlm_target_socket<32>* const port = memory_port(i)) {
            observers_.connect(banks_[i]->memory_socket, *port, "memory_link_" + number);
        } else {
            observers_.connect(banks_[i]->memory_socket, foreign_lt_[i]->socket,
                               "memory_link_" + number);
        }
    }
}

void machine::run() {
    const scoreboard::debug_access transport = [this](tlm::tlm_generic_payload& access) {
        return crossbar_ != nullptr ? supervisor_->debug_socket->transport_dbg(access)
                                    : clients_[0]->socket->transport_dbg(access);
    };
    supervisor_ = std::make_unique<supervisor>("supervisor", *core_, bench_, reference_, transport,
                                               !options_.no_debug);
    if (crossbar_ != nullptr) {
        supervisor_->debug_socket.bind(crossbar_->debug_socket);
    }
    supervisor_->done = [&] {
        return std::all_of(clients_.begin(), clients_.end(),
                           [](const auto& c) { return c->done(); }) &&
               (crossbar_ == nullptr || crossbar_->empty()) &&
               std::all_of(banks_.begin(), banks_.end(),
                           [](const auto& bank) { return bank->empty(); });
    };
    if (bench_.run(*core_) == error_kind::none) {
        reference_.check_all(transport);
        observers_.report_lost();
        for (const auto& c : clients_) {
            bench_.check(c->leak_report().empty(), c->leak_report());
        }
    }
    std::cout << reference_.checks() << " checks\n";
    if (!options_.statistics) {
        return;
    }
    statistics values;
    for (unsigned i = 0; i < banks_.size(); ++i) {
        banks_[i]->collect(values, "l2." + std::to_string(i));
    }
    if (crossbar_ != nullptr) {
        crossbar_->collect(values, "crossbar");
    }
    if (memory_ != nullptr) {
        memory_->collect(values, "dram");
    }
    for (unsigned i = 0; i < controllers_.size(); ++i) {
        controllers_[i]->collect(values, "memory_controller." + std::to_string(i));
    }
    std::cout << to_csv(values) << "cycles," << core_->edge_count() << '\n';
}

}  // namespace

void run_memory_traffic(testbench& bench, const harness_options& options) {
    machine(bench, options).run();
}

}  // namespace heddle::traffic
