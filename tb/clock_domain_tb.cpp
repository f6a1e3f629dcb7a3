// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of clock_domain, inbox and pool: chains of stages that alternate between two clock
// domains, with credits, random link latencies and random stalls on every handshake. Every item
// has to come out of its chain once, in order, and changed as the stages say.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/timeline_recorder.h"
#include "tb/kit/testbench.h"

namespace {

using namespace heddle;

constexpr std::size_t stages_per_chain = 6;
constexpr std::uint64_t items_per_chain = 500;

struct token : pooled<token> {
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    std::uint64_t born_ps = 0;
    void recycle() { number = value = born_ps = 0; }
};
using token_ptr = pool_ptr<token>;

/// What a stage does to a value; also the reference of the checks.
std::uint64_t transform(std::uint64_t value, std::uint64_t key) {
    return value * 5 + key;
}

/// Faults that the tests of the kit put in, to see that the run fails.
enum class fault { none, hang, warning, wrong, endless };

struct chain_context {
    testbench* bench;
    pool<token>* tokens;
    fault injected;
    unsigned number;          ///< of the chain
    std::uint64_t* finished;  ///< chains that have seen all their items
    std::uint64_t chains;
};

/// One stage: the first makes the items, the last checks them, those between pass them on.
class stage final : public clocked {
public:
    stage(clock_domain& domain, const chain_context& context, std::size_t position,
          std::size_t capacity)
        : clocked(domain, "tb.chain_" + std::to_string(context.number) + ".stage_" +
                              std::to_string(position)),
          context_(context),
          position_(position),
          stalls_(context.bench->stalls(part_name())),
          key_(context.bench->random(part_name()).next()),
          arrivals_(*this, capacity),
          credit_returns_(*this, 64) {
        latency_ = 1 + context.bench->random(part_name() + ".latency").below(300);
        if (waveform* waves = context.bench->waves()) {
            credits_wave_ = waves->declare_integer(part_name() + ".credits");
            state_wave_ = waves->declare_state(part_name() + ".state",
                                               {"idle", "moving", "stalled", "no_credit"});
        }
    }
    void connect(stage& next) {
        next_ = &next;
        next.previous_ = this;
        credits_ = next.arrivals_.capacity();
    }

    void evaluate() override {
        while (credit_returns_.ready() != nullptr) {
            credits_ += credit_returns_.pop();
        }
        state_ = idle_state;
        if (!has_item()) {
            return;
        }
        if (next_ != nullptr && credits_ == 0) {
            state_ = no_credit_state;
        } else if (stalls_.stalled(domain().edge()) || hangs()) {
            state_ = stalled_state;
        } else {
            state_ = moving_state;
            move();
        }
    }
    activity update() override {
        credits_wave_.set(static_cast<std::int64_t>(credits_));
        state_wave_.set(state_);
        // A state that will not last is no state to fall asleep in: the waveform would go on
        // showing it.
        const bool settled = state_ == idle_state || state_ == no_credit_state || hangs();
        return settled ? activity::idle : activity::busy;
    }
    std::string waiting_for() const override {
        if (hangs()) {
            return "for ever: a fault was injected";
        }
        if (arrivals_.empty()) {
            return {};
        }
        return std::to_string(arrivals_.size()) + " items, " + std::to_string(credits_) +
               " credits";
    }
    void set_expected_keys(std::vector<std::uint64_t> keys) { keys_ = std::move(keys); }
    [[nodiscard]] std::uint64_t key() const { return key_; }

private:
    enum : std::uint64_t { idle_state, moving_state, stalled_state, no_credit_state };

    [[nodiscard]] bool has_item() {
        return position_ == 0 ? made_ < items_per_chain || context_.injected == fault::endless
                              : arrivals_.ready() != nullptr;
    }
    [[nodiscard]] bool hangs() const {
        return context_.injected == fault::hang && position_ == 2 && moved_ == 20;
    }

    void move() {
        ++moved_;
        token_ptr item = position_ == 0 ? make_item() : arrivals_.pop();
        if (previous_ != nullptr) {
            require(previous_->credit_returns_.push(1));
        }
        if (next_ == nullptr) {
            receive(*item);
            return;
        }
        item->value = transform(item->value, key_);
        if (context_.injected == fault::wrong && position_ == 2 && moved_ == 20) {
            ++item->value;
        }
        --credits_;
        require(next_->arrivals_.push(std::move(item), latency_));
    }
    token_ptr make_item() {
        token_ptr item = context_.tokens->make();
        item->number = item->value = made_++;
        item->born_ps = protocol::picoseconds(sc_core::sc_time_stamp());
        return item;
    }
    void receive(const token& item) {
        context_.bench->progress();
        if (context_.injected == fault::warning && received_ == 20) {
            SC_REPORT_WARNING("/heddle/tb/injected", "a warning was injected");
        }
        std::uint64_t expected = item.number;
        for (const std::uint64_t key : keys_) {
            expected = transform(expected, key);
        }
        context_.bench->check(item.number == received_ && item.value == expected,
                              part_name() + ": item " + std::to_string(item.number) +
                                  " with value " + std::to_string(item.value) +
                                  " arrived at cycle " + std::to_string(domain().edge()) +
                                  ", expected was item " + std::to_string(received_) +
                                  " with value " + std::to_string(expected));
        if (protocol::trace_writer* trace = context_.bench->timeline()) {
            trace->write({context_.number,
                          static_cast<unsigned>(item.number % 64),
                          "item",
                          "tb",
                          {},
                          item.born_ps,
                          protocol::picoseconds(sc_core::sc_time_stamp()),
                          0,
                          false});
        }
        if (++received_ == items_per_chain && ++*context_.finished == context_.chains) {
            if (context_.injected != fault::endless) {
                context_.bench->finish();
            }
        }
    }
    void require(bool pushed) {
        context_.bench->check(pushed, part_name() + ": the next inbox was full despite credits");
    }

    chain_context context_;
    std::size_t position_;
    stall_source stalls_;
    std::uint64_t key_;
    std::uint64_t latency_ = 1;
    inbox<token_ptr> arrivals_;
    inbox<std::size_t> credit_returns_;
    stage* next_ = nullptr;
    stage* previous_ = nullptr;
    std::size_t credits_ = 0;
    std::uint64_t made_ = 0;
    std::uint64_t moved_ = 0;
    std::uint64_t received_ = 0;
    std::uint64_t state_ = idle_state;
    std::vector<std::uint64_t> keys_;
    wave_integer credits_wave_;
    wave_state state_wave_;
};

void run_chains(testbench& bench, fault injected, unsigned chains) {
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    clock_domain memory("memory", frequency::megahertz(2600, 4), bench.domain_options());
    pool<token> tokens("tokens");
    std::uint64_t finished = 0;
    std::vector<std::unique_ptr<stage>> stages;
    for (unsigned chain = 0; chain < chains; ++chain) {
        if (bench.timeline() != nullptr) {
            (void)bench.timeline()->add_track("chain " + std::to_string(chain));
        }
        const chain_context context{&bench, &tokens, injected, chain, &finished, chains};
        random_stream random = bench.random("capacity." + std::to_string(chain));
        std::vector<std::uint64_t> keys;
        for (std::size_t position = 0; position < stages_per_chain; ++position) {
            stages.push_back(std::make_unique<stage>(random.chance(0.5) ? core : memory, context,
                                                     position, 1 + random.below(8)));
            if (position > 0) {
                stages[stages.size() - 2]->connect(*stages.back());
            }
            if (position + 1 < stages_per_chain) {
                keys.push_back(stages.back()->key());
            }
        }
        stages.back()->set_expected_keys(keys);
    }
    if (bench.run(core) == error_kind::none) {
        bench.check(tokens.leak_report().empty(), tokens.leak_report());
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    fault injected = fault::none;
    unsigned chains = 4;
    testbench_description description;
    description.name = "clock_domain_tb";
    description.summary = "Chains of stages over two clock domains against a reference";
    description.add_options = [&](command_line& line) {
        line.number("--chains", chains, "Number of chains", 1, 200);
        line.choice<fault>("--inject", injected,
                           {{"hang", fault::hang},
                            {"warning", fault::warning},
                            {"wrong", fault::wrong},
                            {"endless", fault::endless}},
                           "A fault that has to fail the run");
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run_chains(bench, injected, chains); });
}
