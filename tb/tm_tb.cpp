// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of transactions in shared memory: random transactions of several warps over the sockets
// of a tm_unit, with plain accesses between them and protocol checkers on all links, also those to
// the tm_banks, against a naive machine that knows exactly who has read and written what. There is
// a unit for each detection of conflicts, side by side.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hw/protocol/forward_socket.h"
#include "hw/smx/tm/conflict_detectors.h"
#include "hw/smx/tm/tm_unit.h"
#include "hw/smx/tm/tm_waves.h"
#include "tb/kit/build_slots.h"
#include "tb/kit/testbench.h"
#include "tb/tm/random_transactions.h"

namespace {

using namespace heddle;
using protocol::local_command;
using protocol::shared_access;
using protocol::shared_response;

constexpr std::uint32_t rows = 1024;  ///< of a bank: as many as the RTL of a bank has

struct tm_options {
    std::uint64_t sets = 500;
    std::string detection;  ///< empty: all
    random_transactions_setting transactions;
    shared_memory_configuration shared;
    double plain = 0.2;
    slot_implementation slot = slot_implementation::tlm;
};

/// Calls the unit as a load-store unit and an issue stage do. `under_way` drivers have not ended.
class driver final : public sc_core::sc_module, public clocked, private transactional_machine {
public:
    driver(const sc_core::sc_module_name& name, testbench& bench, clock_domain& domain,
           const tm_options& options, tm_unit& unit, shared_memory& memory, unsigned& under_way)
        : sc_module(name),
          clocked(domain, this->name()),
          socket("socket"),
          bench_(bench),
          options_(options),
          unit_(unit),
          memory_(memory),
          under_way_(under_way),
          random_(bench.random("driver")),
          stalls_(bench.stalls("driver")),
          left_(options.sets) {
        if (bench.waves() != nullptr) {
            waves_ =
                std::make_unique<tm_waves>(unit.engine(), *bench.waves(), unit.name(),
                                           options.transactions.warps, options.transactions.lanes);
        }
    }

    protocol::forward_socket<protocol::shared_link> socket;

    void evaluate() override {
        const std::uint64_t edge = domain().edge();
        if (finished_ || edge < busy_until_ || stalls_.stalled(edge)) return;
        bench_.progress();
        if (set_ && random_.chance(options_.plain)) return plain_access();
        if (!set_ || set_->done()) return next_set();
        busy_until_ = edge + set_->step();
    }
    activity update() override {
        if (waves_) waves_->publish();
        return finished_ ? activity::idle : activity::busy;
    }

    void check_counts() const {
        const transaction_detection& detection = options_.transactions.configuration.detection;
        const tm_counts& counts = unit_.engine().counts();
        bench_.check(counts.losses == heard_, "losses are counted that nobody has heard of");
        // Of words that several have read, a directory forgets all but the first; with dcd no
        // others read it.
        if (!detection.directory || detection == conflict_detectors::of<dcd>) {
            bench_.check(counts.plain_conflicts == plain_conflicts_, "plain conflicts are wrong");
        }
        std::printf("%s\n  attempts %lu, serialized in the warp %lu, in the block %lu\n",
                    detection.name, counts.attempts(), counts.wf_attempts, counts.wg_attempts);
        std::printf("  commits %lu, losses %lu, words restored %lu, plain conflicts %lu\n",
                    counts.commits, counts.losses, counts.restored_words, counts.plain_conflicts);
    }

private:
    void next_set() {
        if (left_ == 0) {
            finished_ = true;
            if (--under_way_ == 0) bench_.finish();
            return;
        }
        --left_;
        transactional_machine& machine = *this;
        const random_stream random = bench_.random("set " + std::to_string(left_));
        set_ = std::make_unique<random_transactions>(
            machine, options_.transactions, random,
            [this](const std::string& what) { bench_.check(false, what); });
    }

    // transactional_machine
    [[nodiscard]] tm_engine& engine() override { return unit_.engine(); }
    [[nodiscard]] shared_banks& memory() override { return memory_.array(); }
    unsigned access(shared_access& access) override {
        const unsigned plain = transport(access);
        heard_ += bits::count(access.losers);
        const unsigned cycles = access.busy_cycles;
        check_delay(std::max(cycles, plain));
        return cycles;
    }
    bool end_attempt(unsigned warp) override {
        const auto end = unit_.engine().end_attempt(warp);
        for (const transaction_lanes& each : end.losers) heard_ += bits::count(each.lanes);
        return end.over;
    }

    /// Returns the latency of a plain access.
    unsigned transport(shared_access& access) {
        delay_ = sc_core::SC_ZERO_TIME;
        socket->b_transport(access, delay_);
        bench_.check(access.response == shared_response::ok, "a legal access is refused");
        return options_.shared.latency + (turns(access) - 1) * options_.shared.replay_latency;
    }
    void check_delay(std::uint64_t cycles) {
        bench_.check(delay_.value() == cycles * domain().edge_time(1).value(),
                     "an access took " + delay_.to_string() + ", expected were " +
                         std::to_string(cycles) + " cycles");
    }
    /// The most words of any bank.
    [[nodiscard]] unsigned turns(const shared_access& access) const {
        std::map<unsigned, std::set<unsigned>> banks;
        std::size_t most = 1;
        bits::for_each(access.lanes, [&](unsigned lane) {
            const unsigned word = access.address[lane] / 4;
            std::set<unsigned>& words = banks[word % options_.shared.banks];
            words.insert(word);
            most = std::max(most, words.size());
        });
        return static_cast<unsigned>(most);
    }

    /// Of a warp that has no transaction: loads of any words, or stores to words that no
    /// transaction wants.
    void plain_access() {
        shared_access& a = plain_;
        a.recycle();
        a.warp = warp_slot(options_.transactions.warps);
        a.command = random_.chance(0.5) ? local_command::load : local_command::store;
        a.lanes = (random_.next() & bits::below(options_.transactions.lanes)) | 1;
        const unsigned banks = options_.shared.banks;
        constexpr unsigned of_transactions = random_transactions::banks_used;
        bool conflict = false;
        bits::for_each(a.lanes, [&](unsigned lane) {
            auto word = static_cast<unsigned>(random_.below(rows) * banks + of_transactions +
                                              random_.below(banks - of_transactions));
            if (a.command == local_command::load && random_.chance(0.1)) {
                word = set_->words()[random_.below(set_->words().size())];
                conflict = conflict || owned(word);
            }
            a.address[lane] = 4 * word;
            a.data[lane] = static_cast<std::uint32_t>(random_.next());
        });
        plain_conflicts_ += conflict ? 1 : 0;
        check_delay(transport(a));
        busy_until_ = domain().edge() + a.busy_cycles;
        if (a.command == local_command::store) return;
        bits::for_each(a.lanes, [&](unsigned lane) {
            bench_.check(a.data[lane] == memory_.array().read(a.address[lane], 4),
                         "a plain load got a wrong value");
        });
    }
    [[nodiscard]] bool owned(unsigned word) const {
        return options_.transactions.configuration.detection.directory ? set_->touched(word)
                                                                       : set_->written(word);
    }

    testbench& bench_;
    const tm_options options_;
    tm_unit& unit_;
    shared_memory& memory_;
    unsigned& under_way_;
    random_stream random_;
    stall_source stalls_;
    std::unique_ptr<tm_waves> waves_;
    std::unique_ptr<random_transactions> set_;
    std::uint64_t left_;
    std::uint64_t busy_until_ = 0;
    bool finished_ = false;
    shared_access plain_;
    sc_core::sc_time delay_;
    std::uint64_t heard_ = 0;            ///< losses
    std::uint64_t plain_conflicts_ = 0;  ///< expected
};

/// A unit with one detection, its memory, and who drives it.
class bank_rig final : public sc_core::sc_module {
public:
    bank_rig(const sc_core::sc_module_name& name, testbench& bench, clock_domain& core,
             const tm_options& options, protocol::instrumentation& links, unsigned& under_way)
        : sc_module(name),
          memory_("shared_memory", core, options.shared, memory_bytes(options)),
          banks_(build_slots<bank_state_traits>(options.slot, core, bench)),
          unit_("tm_unit", {core, options.transactions.configuration, options.shared,
                            options.transactions.lanes, options.transactions.warps + 1, 1,
                            memory_bytes(options), memory_, banks_, &links}),
          driver_("driver", bench, core, options, unit_, memory_, under_way) {
        const std::string detection = this->name();
        links.connect(driver_.socket, unit_.socket, detection + "_accesses");
        links.connect(unit_.memory_socket, memory_.socket, detection + "_plain_accesses");
    }
    void check_counts() const { driver_.check_counts(); }

private:
    static std::uint32_t memory_bytes(const tm_options& options) {
        return 4 * rows * options.shared.banks;
    }

    shared_memory memory_;
    const slot_maker<bank_state_traits> banks_;
    tm_unit unit_;
    driver driver_;
};

bool wanted(const tm_options& options, const transaction_detection& detection) {
    if (!options.detection.empty()) return options.detection == detection.name;
    return options.slot == slot_implementation::tlm ||
           detection == conflict_detectors::of<prw_sig>;  // the one that Heddle has in RTL
}

void run_transactions(testbench& bench, tm_options options) {
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    protocol::instrumentation links(true, bench.timeline());
    unsigned under_way = 0;
    std::vector<std::unique_ptr<bank_rig>> rigs;
    random_transactions_setting& setting = options.transactions;
    setting.banks = options.shared.banks;
    setting.rows = rows;
    for (const transaction_detection& detection : conflict_detectors::all()) {
        if (!wanted(options, detection)) continue;
        setting.configuration.detection = detection;
        setting.pass_cycles = setting.configuration.pass_cycles +
                              (detection.directory ? 2 * options.shared.latency : 0);
        rigs.push_back(
            std::make_unique<bank_rig>(detection.name, bench, core, options, links, under_way));
        ++under_way;
    }
    if (bench.run(core) != error_kind::none) return;
    links.report_lost();
    links.finish();
    for (const auto& each : rigs) each->check_counts();
}

}  // namespace

int sc_main(int argc, char** argv) {
    tm_options options;
    options.shared.latency = 4;
    testbench_description description;
    description.name = "tm_tb";
    description.summary = "Transactions in shared memory under random accesses";
    description.add_options = [&](command_line& line) {
        random_transactions_setting& setting = options.transactions;
        transaction_configuration& tm = setting.configuration;
        line.choice<slot_implementation>("--slot", options.slot, slot_choices(),
                                         "What the banks know: the model, the RTL, or both in lock "
                                         "step");
        line.number("--sets", options.sets, "Sets of transactions, one after another", 1, 1000000);
        std::vector<std::string> detections;
        for (const auto& each : conflict_detectors::all()) detections.emplace_back(each.name);
        line.name_of(
            "--detection", detections,
            [&options](const std::string& name) { options.detection = name; },
            "Only this way to find conflicts");
        line.name_of(
            "--serialization", transaction_serialization_names().names(),
            [&tm](const std::string& name) {
                tm.serialization = *transaction_serialization_names().find(name);
            },
            "Who runs again while the others wait");
        line.number_of("--hashes", tm.hashes, "Hashes of a signature", {1, 2});
        line.number_of("--lanes", setting.lanes, "Lanes of a warp", {8, 16, 32, 64});
        line.number_of("--banks", options.shared.banks, "Banks", {16, 32, 64});
        line.number("--threads", setting.threads, "Threads of a warp, at most", 1, 8);
        line.number("--words", setting.words, "Words that the transactions want, at most", 1, 12);
        line.number("--plain", options.plain, "Share of plain accesses", 0, 0.9);
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run_transactions(bench, options); });
}
