// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "hw/cosim/crossbar_allocator_ports.h"
#include "hw/cosim/stimulus/slot_bench.h"
#include "hw/cosim/stimulus/stimulus.h"
#include "models/base/bits.h"

namespace heddle::cosim {

namespace {

void counts(const crossbar_allocator_call& said, crossbar_allocator_call& counts) {
    for (unsigned row = 0; row < said.column.size(); ++row) {
        if (!bits::test(said.granted, row)) counts.column[row] = 0;
    }
}

constexpr unsigned most_ports = 32, steps_of_shape = 20;

class crossbar_allocator_driver {
public:
    explicit crossbar_allocator_driver(const stimulus_target& to)
        : bench_("crossbar_allocator", crossbar_allocator_ports, counts, to),
          coverage_(to.coverage),
          random_(to.random),
          shapes_(to.coverage.declare(
              {"rows x columns", {"1", "2 to 31", "32"}, {"1", "2 to 31", "32"}})),
          grants_(to.coverage.declare({"granted x requests",
                                       {"none", "some rows that ask", "all rows that ask"},
                                       {"none", "without conflict", "with conflicts"},
                                       {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {1, 1}}})) {}

    void run(unsigned steps) {
        for (const unsigned rows : {1U, 2U, most_ports}) {
            for (const unsigned columns : {1U, 2U, most_ports}) shape(rows, columns);
        }
        for (unsigned n = 0; n < steps / steps_of_shape; ++n) {
            shape(1 + static_cast<unsigned>(random_.below(most_ports)),
                  1 + static_cast<unsigned>(random_.below(most_ports)));
        }
    }

private:
    void shape(unsigned rows, unsigned columns) {
        crossbar_allocator_call call;
        call.rows = static_cast<std::uint8_t>(rows);
        call.columns = static_cast<std::uint8_t>(columns);
        for (auto* const seeds : {&call.row_seed, &call.column_seed}) {
            for (std::uint32_t& seed : *seeds) seed = static_cast<std::uint32_t>(random_.next());
            (*seeds)[random_.below(most_ports)] = 0;  // stands for 1
        }
        bench_.reset(call);
        for (unsigned n = 0; n < steps_of_shape; ++n) {
            const std::uint64_t density = random_.below(4);
            for (unsigned row = 0; row < rows; ++row) {
                std::uint64_t asked = random_.next();
                if (density > 0) asked &= random_.next();
                if (density > 1) asked &= random_.next() & random_.next();
                if (density == 3 && n % 4 == 0) asked = bits::one((row + n) % most_ports);
                if (density == 0 && n % 4 == 0) asked = n % 8 == 0 ? ~std::uint64_t{0} : 0;
                call.request[row] = static_cast<std::uint32_t>(asked & bits::below(columns));
            }
            step(call);
        }
    }
    void step(const crossbar_allocator_call& call) {
        const std::uint64_t how = random_.below(8);
        if (how == 0) {
            bench_.ask(call);
            return;
        }
        if (how == 1) {
            bench_.idle(call);
            return;
        }
        const unsigned granted = bits::count(bench_.clock(call).granted);
        unsigned asking = 0;
        std::uint32_t seen = 0;
        bool conflict = false;
        for (unsigned row = 0; row < call.rows; ++row) {
            asking += call.request[row] != 0 ? 1 : 0;
            conflict |= (seen & call.request[row]) != 0 || bits::count(call.request[row]) > 1;
            seen |= call.request[row];
        }
        port_coverage& to = coverage_;
        const auto size = [](unsigned n) { return n == 1 ? 0U : n < most_ports ? 1U : 2U; };
        to.add(shapes_, size(call.rows), size(call.columns));
        to.add(grants_,
               granted == 0       ? 0
               : granted < asking ? 1
                                  : 2,
               asking == 0 ? 0
               : conflict  ? 2
                           : 1);
    }

    slot_bench<crossbar_allocator_call> bench_;
    port_coverage& coverage_;
    random_stream& random_;
    const std::size_t shapes_, grants_;
};

}  // namespace

void drive_crossbar_allocator(const stimulus_target& to) {
    crossbar_allocator_driver(to).run(to.steps);
}

}  // namespace heddle::cosim
