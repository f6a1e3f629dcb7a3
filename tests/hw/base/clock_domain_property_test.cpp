// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Random graphs of parts that exchange items over up to three clock domains, set timers, wake each
// other, and notify a SystemC process. Every run has to give the trace of a naive simulator: with
// sleeping, without, with parts in any order, and with domains that run ahead of the kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/has_process.h"
#include "hw/base/inbox.h"
#include "hw/base/present.h"
#include "hw/base/run_control.h"
#include "models/base/random.h"
#include "tests/hw/base/child_process.h"

namespace heddle {
namespace {

constexpr std::uint64_t end_ps = 20000000;  // 20 us: some 14,000 edges at 706 MHz

struct item {
    std::uint64_t value = 0;
    unsigned hops = 0;  ///< still to go
};

struct graph {
    struct node {
        std::size_t domain = 0;
        std::size_t peer = 0;  ///< of the same domain, whose latched state is read
        std::vector<std::size_t> in, out;
    };
    std::vector<frequency> domains;
    std::vector<node> nodes;
    std::vector<std::size_t> link_target;
};

graph random_graph(std::uint64_t seed) {
    random_stream random(seed, "graph");
    graph g;
    const frequency rates[] = {frequency::megahertz(706), frequency::megahertz(924),
                               frequency::megahertz(2600, 4), frequency::megahertz(1412)};
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
        g.domains.push_back(rates[random.below(4)]);
    }
    g.nodes.resize(2 + random.below(120));
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
        graph::node& node = g.nodes[i];
        node.domain = random.below(g.domains.size());
        for (std::uint64_t links = 1 + random.below(3); links > 0; --links) {
            const std::size_t to = random.below(g.nodes.size());
            node.out.push_back(g.link_target.size());
            g.nodes[to].in.push_back(g.link_target.size());
            g.link_target.push_back(to);
        }
    }
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
        std::size_t peer = random.below(g.nodes.size());
        while (g.nodes[peer].domain != g.nodes[i].domain) {
            peer = (peer + 1) % g.nodes.size();
        }
        g.nodes[i].peer = peer;
    }
    return g;
}

/// What a node may do to its surroundings.
class surroundings {
public:
    virtual ~surroundings() = default;
    virtual void send(std::size_t link, item what, std::uint64_t latency) = 0;
    virtual void wake_at(std::uint64_t edge) = 0;
    virtual void wake(std::size_t node) = 0;
    virtual void notify() = 0;
    virtual std::uint64_t latched(std::size_t node) = 0;
};

/// The behaviour of a node, the same in the simulator under test and in the reference.
class behaviour {
public:
    behaviour(const graph& g, std::size_t self) : graph_(&g), self_(self), state_(self * 77 + 1) {}

    /// One edge. The trace holds, with each event, the number of edges without one so far.
    void step(std::uint64_t edge, const std::vector<item>& items, surroundings& around) {
        bool active = false;
        if (edge == 0 && self_ % 3 == 0) {
            act(edge, {self_ + 1, 12}, around), active = true;
        }
        for (const item& one : items) {
            act(edge, one, around), active = true;
        }
        if (edge == timer_) {
            act(edge, {edge, 2}, around), active = true;
        }
        if (busy_ > 0 && --busy_ == 0) {
            act(edge, {self_, 1}, around);
        }
        busy_edges_ += active ? 1 : 0;
    }
    void latch() { latched_ = state_; }
    [[nodiscard]] bool busy() const { return busy_ > 0; }
    [[nodiscard]] std::uint64_t latched() const { return latched_; }
    [[nodiscard]] const std::string& trace() const { return trace_; }

private:
    void act(std::uint64_t edge, item what, surroundings& around) {
        const graph::node& node = graph_->nodes[self_];
        state_ = (state_ ^ what.value ^ around.latched(node.peer)) * 0x9e3779b97f4a7c15U + edge;
        state_ ^= state_ >> 29;
        trace_ += std::to_string(self_) + "@" + std::to_string(edge) + "=" +
                  std::to_string(state_) + "/" + std::to_string(edge + 1 - busy_edges_) + "\n";
        if (what.hops == 0) {
            return;
        }
        const std::uint64_t latency = (state_ & 3) == 0   ? 1
                                      : (state_ & 3) == 1 ? 1 + (state_ >> 8) % 20
                                                          : 1 + (state_ >> 8) % 400;
        around.send(node.out[(state_ >> 20) % node.out.size()], {state_, what.hops - 1}, latency);
        if (((state_ >> 30) & 7) == 0 && (timer_ <= edge || timer_ == ~std::uint64_t{0})) {
            timer_ = edge + 1 + (state_ >> 40) % 1000;
            around.wake_at(timer_);
        }
        if (((state_ >> 33) & 7) == 0) {
            busy_ = 1 + (state_ >> 50) % 30;
        }
        if (((state_ >> 36) & 3) == 0) {
            around.wake((state_ >> 44) % graph_->nodes.size());
        }
        if (((state_ >> 38) & 15) == 0) {
            around.notify();
        }
    }

    const graph* graph_;
    std::size_t self_;
    std::uint64_t state_;
    std::uint64_t latched_ = 0;
    std::uint64_t timer_ = ~std::uint64_t{0};
    std::uint64_t busy_ = 0;
    std::uint64_t busy_edges_ = 0;
    std::string trace_;
};

/// What the process sends when it has been notified at a time: over link 0.
item answer_of(std::uint64_t ps) {
    return {ps, 1};
}
std::uint64_t latency_of(std::uint64_t ps) {
    return 1 + ps % 7;
}

/// The naive reference: every node at every edge, in the order of time.
class reference final : public surroundings {
public:
    explicit reference(const graph& g) : graph_(g), links_(g.link_target.size()) {
        for (std::size_t i = 0; i < g.nodes.size(); ++i) {
            nodes_.emplace_back(g, i);
        }
    }
    std::string run() {
        std::vector<std::uint64_t> edge(graph_.domains.size(), 0);
        while (true) {
            std::uint64_t now = end_ps;
            for (std::size_t d = 0; d < edge.size(); ++d) {
                now = std::min(now, edge[d] * graph_.domains[d].period_numerator() /
                                        graph_.domains[d].mhz_numerator());
            }
            if (now >= end_ps) {
                break;
            }
            now_ = now;
            for (std::size_t d = 0; d < edge.size(); ++d) {
                if (graph_.domains[d].edge_time(edge[d]) == now) {
                    run_edge(d, edge[d]++);
                }
            }
            if (std::exchange(notified_, false)) send(0, answer_of(now), latency_of(now));
        }
        std::string trace;
        for (const behaviour& node : nodes_) {
            trace += node.trace();
        }
        return trace;
    }
    void send(std::size_t link, item what, std::uint64_t latency) override {
        const frequency& f = graph_.domains[graph_.nodes[graph_.link_target[link]].domain];
        // The first edge strictly after now, found by looking.
        std::uint64_t due = now_ * f.mhz_numerator() / f.period_numerator();
        while (f.edge_time(due) <= now_) {
            ++due;
        }
        links_[link].push_back({due + latency - 1, what});
    }
    void wake_at(std::uint64_t) override {}
    void wake(std::size_t) override {}
    void notify() override { notified_ = true; }
    std::uint64_t latched(std::size_t node) override { return nodes_[node].latched(); }

private:
    struct flight {
        std::uint64_t due;
        item what;
    };
    void run_edge(std::size_t domain, std::uint64_t edge) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (graph_.nodes[i].domain != domain) {
                continue;
            }
            std::vector<item> items;
            for (const std::size_t link : graph_.nodes[i].in) {
                for (std::size_t f = 0; f < links_[link].size();) {
                    if (links_[link][f].due == edge) {
                        items.push_back(links_[link][f].what);
                        links_[link].erase(links_[link].begin() + static_cast<std::ptrdiff_t>(f));
                    } else {
                        ++f;
                    }
                }
            }
            nodes_[i].step(edge, items, *this);
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (graph_.nodes[i].domain == domain) {
                nodes_[i].latch();
            }
        }
    }
    const graph& graph_;
    std::vector<behaviour> nodes_;
    std::vector<std::vector<flight>> links_;
    std::uint64_t now_ = 0;
    bool notified_ = false;
};

class network;

struct network_options {
    bool no_sleep = false;
    std::uint64_t order_seed = 0;
    bool ahead = false;
};

class network_node final : public clocked {
public:
    network_node(clock_domain& domain, network& all, const graph& g, std::size_t self)
        : clocked(domain, "node"), all_(&all), logic(g, self) {}
    void evaluate() override;
    activity update() override {
        logic.latch();
        return logic.busy() ? activity::busy : activity::idle;
    }
    std::vector<inbox<item>*> boxes;

private:
    network* all_;
    std::vector<item> items_;

public:
    behaviour logic;
};

/// The simulator under test.
class network final : public sc_core::sc_module, public surroundings {
public:
    HEDDLE_HAS_PROCESS(network);
    network(const sc_core::sc_module_name& name, const graph& g, const network_options& how,
            run_control& control)
        : sc_module(name), nodes_(g.nodes.size()), links_(g.link_target.size()) {
        SC_METHOD(answer);
        sensitive << notified_;
        dont_initialize();
        const clock_domain_options options{&control, how.no_sleep};
        for (std::size_t d = 0; d < g.domains.size(); ++d) {
            domains_.push_back(std::make_unique<clock_domain>(sc_core::sc_gen_unique_name("domain"),
                                                              g.domains[d], options));
        }
        std::vector<std::size_t> order(g.nodes.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        random_stream random(how.order_seed, "order");
        for (std::size_t i = order.size(); how.order_seed != 0 && i > 1; --i) {
            std::swap(order[i - 1], order[random.below(i)]);
        }
        for (const std::size_t i : order) {
            nodes_[i] = std::make_unique<network_node>(*domains_[g.nodes[i].domain], *this, g, i);
        }
        for (std::size_t i = 0; i < g.nodes.size(); ++i) {
            for (const std::size_t link : g.nodes[i].in) {
                links_[link] = std::make_unique<inbox<item>>(*nodes_[i], 4096);
                nodes_[i]->boxes.push_back(links_[link].get());
            }
        }
    }
    std::string trace() const {
        std::string text;
        for (const auto& node : nodes_) {
            text += node->logic.trace();
        }
        return text;
    }
    [[nodiscard]] std::uint64_t evaluations() const {
        std::uint64_t sum = 0;
        for (const auto& domain : domains_) {
            sum += domain->evaluations();
        }
        return sum;
    }
    void send(std::size_t link, item what, std::uint64_t latency) override {
        if (!links_[link]->push(what, latency)) {
            full = true;
        }
    }
    void wake_at(std::uint64_t edge) override { active->wake_at(edge); }
    void wake(std::size_t node) override { nodes_[node]->wake(); }
    void notify() override { present::notify(notified_); }
    std::uint64_t latched(std::size_t node) override { return nodes_[node]->logic.latched(); }

    network_node* active = nullptr;
    bool full = false;

private:
    void answer() {
        const std::uint64_t ps =
            sc_core::sc_time_stamp().value() / sc_core::sc_time(1, sc_core::SC_PS).value();
        send(0, answer_of(ps), latency_of(ps));
    }

    sc_core::sc_event notified_;
    std::vector<std::unique_ptr<clock_domain>> domains_;
    std::vector<std::unique_ptr<network_node>> nodes_;
    std::vector<std::unique_ptr<inbox<item>>> links_;
};

void network_node::evaluate() {
    items_.clear();
    for (inbox<item>* box : boxes) {
        while (box->ready() != nullptr) {
            items_.push_back(box->pop());
        }
    }
    all_->active = this;
    logic.step(domain().edge(), items_, *all_);
}

struct network_run {
    std::string trace;
    std::uint64_t evaluations = 0;
};

network_run simulate(const graph& g, const network_options& how) {
    network_run result;
    const process_result child = run_in_child([&](std::string& output) {
        run_status status;
        run_control control(status);
        if (how.ahead) control.run_ahead();
        network net("network", g, how, control);
        run_limits limits;
        limits.max_time = sc_core::sc_time(static_cast<double>(end_ps), sc_core::SC_PS);
        (void)control.run(limits);
        output = std::to_string(net.evaluations()) + "\n" + net.trace();
        return net.full ? 1 : 0;
    });
    EXPECT_EQ(child.exit_code, 0);
    const std::size_t line = child.output.find('\n');
    result.evaluations = std::stoull(child.output);
    result.trace = child.output.substr(line + 1);
    return result;
}

class clock_domain_property : public testing::TestWithParam<std::uint64_t> {};

TEST_P(clock_domain_property, sleeping_waking_and_module_order_change_nothing) {
    for (std::uint64_t seed = GetParam(); seed < GetParam() + 5; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const graph g = random_graph(seed);
        const std::string expected = reference(g).run();
        ASSERT_GT(expected.size(), 100U);
        const network_run asleep = simulate(g, {});
        const network_run awake = simulate(g, {true});
        const network_run ahead = simulate(g, {false, 0, true});
        ASSERT_EQ(asleep.trace, expected);
        ASSERT_EQ(awake.trace, expected);
        ASSERT_EQ(ahead.trace, expected);
        EXPECT_EQ(ahead.evaluations, asleep.evaluations);
        EXPECT_LT(asleep.evaluations, awake.evaluations / 2);
        for (const unsigned order : {1, 2, 3})
            ASSERT_EQ(simulate(g, {order == 3, seed * 10 + order, order >= 2}).trace, expected);
    }
}

INSTANTIATE_TEST_SUITE_P(seeds, clock_domain_property, testing::Values(100, 200, 300));

}  // namespace
}  // namespace heddle
