// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/dram_scheduler_ports.h"
#include "hw/cosim/stimulus/slot_bench.h"
#include "hw/cosim/stimulus/stimulus.h"

namespace heddle::cosim {

namespace {

void counts(const dram_scheduler_call& said, dram_scheduler_call& counts) {
    if (!said.found) counts.entry = 0;
}

constexpr unsigned most_requests = dram_scheduler_call::most;

class dram_scheduler_driver {
public:
    explicit dram_scheduler_driver(const stimulus_target& to)
        : bench_("dram_scheduler", dram_scheduler_ports, counts, to),
          coverage_(to.coverage),
          random_(to.random),
          picks_(to.coverage.declare(
              {"picked x candidates",
               {"none", "a hit, the oldest of all", "a hit before older ones", "the oldest, no hit",
                "the oldest, too old for hits"},
               {"0", "1", "2 to 127", "128"},
               {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {2, 1}, {4, 1}}})) {}

    void run(unsigned steps) {
        bench_.reset({});
        // Each entry alone.
        for (unsigned n = 0; n < most_requests; ++n) {
            dram_scheduler_call call = queue(0, 4);
            call.candidate = {};
            call.candidate[n] = true;
            step(call);
        }
        for (unsigned n = 0; n < steps; ++n) {
            const std::uint64_t sparse = random_.below(4);
            step(queue(sparse == 0   ? 1
                       : sparse == 1 ? 64
                       : sparse == 2 ? 16
                                     : 3,
                       random_.below(2) == 0 ? 3 : 1000));
        }
    }

private:
    /// One of `sparse` entries is a candidate, of so many rows. An entry came no later than those
    /// behind it.
    dram_scheduler_call queue(unsigned sparse, unsigned rows) {
        dram_scheduler_call call;
        const auto any = [&] { return static_cast<std::uint32_t>(random_.next()); };
        const std::uint32_t first_row = any();
        call.open = random_.below(4) != 0;
        call.open_row = first_row + static_cast<std::uint32_t>(random_.below(rows));
        call.now = random_.below(2) == 0 ? any() : static_cast<std::uint32_t>(random_.below(2000));
        const std::uint32_t limits[] = {0, 1, 300, 100000, ~std::uint32_t{0}};
        call.age_limit = random_.below(4) == 0 ? any() : limits[random_.below(5)];
        const std::uint32_t apart = random_.below(2) == 0 ? 6 : 20000000;
        std::uint32_t age =
            random_.below(4) == 0 ? 0 : static_cast<std::uint32_t>(random_.below(apart));
        for (unsigned n = most_requests; n-- > 0;) {
            call.candidate[n] = sparse == 1 || (sparse != 0 && random_.below(sparse) == 0);
            call.row[n] = first_row + static_cast<std::uint32_t>(random_.below(rows));
            call.arrival[n] = call.now - age;
            age += static_cast<std::uint32_t>(random_.below(apart));
        }
        if (random_.below(16) == 0) call.candidate = {};
        return call;
    }
    void step(const dram_scheduler_call& call) {
        const dram_scheduler_call said =
            random_.below(4) == 0 ? bench_.clock(call) : bench_.ask(call);
        unsigned candidates = 0, hits = 0, oldest = most_requests;
        for (unsigned n = 0; n < most_requests; ++n) {
            if (!call.candidate[n]) continue;
            ++candidates;
            hits += call.open && call.row[n] == call.open_row ? 1 : 0;
            if (oldest == most_requests) oldest = n;
        }
        unsigned how = 0;
        if (said.found) {
            const bool hit = call.open && call.row[said.entry] == call.open_row;
            how = said.entry != oldest ? 2 : hit ? 1 : hits == 0 ? 3 : 4;
        }
        coverage_.add(picks_, how,
                      candidates < 2               ? candidates
                      : candidates < most_requests ? 2
                                                   : 3);
    }

    slot_bench<dram_scheduler_call> bench_;
    port_coverage& coverage_;
    random_stream& random_;
    const std::size_t picks_;
};

}  // namespace

void drive_dram_scheduler(const stimulus_target& to) {
    dram_scheduler_driver(to).run(to.steps);
}

}  // namespace heddle::cosim
