// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/queue_picker_ports.h"
#include "hw/cosim/stimulus/slot_bench.h"
#include "hw/cosim/stimulus/stimulus.h"
#include "models/base/bits.h"

namespace heddle::cosim {

namespace {

void counts(const queue_picker_call&, queue_picker_call&) {}

constexpr unsigned queues = 64;

class queue_picker_driver {
public:
    explicit queue_picker_driver(const stimulus_target& to)
        : bench_("queue_picker", queue_picker_ports, counts, to),
          coverage_(to.coverage),
          random_(to.random),
          picks_(to.coverage.declare(
              {"dispatches: picked x ready",
               {"first after reset", "the same", "the next", "a higher one", "a lower one"},
               {"1", "2", "3 to 63", "64"},
               {{1, 1}, {1, 2}, {1, 3}, {3, 3}}})) {}

    void run(unsigned steps) {
        // Each queue behind each other one, alone and with all.
        for (const std::uint64_t with : {std::uint64_t{0}, ~std::uint64_t{0}}) {
            reset();
            for (unsigned n = 0; n < queues * queues; ++n)
                dispatch(bits::one(n * 37 % queues) | with);
        }
        for (unsigned n = 0; n < steps; ++n) {
            const std::uint64_t ready = some();
            switch (random_.below(16)) {
                case 0:
                    bench_.ask({ready});
                    break;
                case 1:
                    bench_.idle({ready});
                    break;
                case 2:
                    if (random_.below(8) == 0) reset();
                    break;
                default:
                    dispatch(ready);
            }
        }
    }

private:
    void reset() {
        bench_.reset({some()});
        last_ = queues;
    }
    void dispatch(std::uint64_t ready) {
        const unsigned picked = bench_.clock({ready}).queue;
        const unsigned many = bits::count(ready);
        const unsigned how = last_ == queues       ? 0
                             : picked == last_     ? 1
                             : picked == last_ + 1 ? 2
                             : picked > last_      ? 3
                                                   : 4;
        coverage_.add(picks_, how, many < 3 ? many - 1 : many < queues ? 2 : 3);
        last_ = picked;
    }
    /// At least one queue.
    std::uint64_t some() {
        const std::uint64_t one = bits::one(static_cast<unsigned>(random_.below(queues)));
        switch (random_.below(6)) {
            case 0:
                return one;
            case 1:
                return one | bits::one(static_cast<unsigned>(random_.below(queues)));
            case 2:
                return ~std::uint64_t{0};
            case 3:
                return random_.next() | one;
            default:
                return (random_.next() & random_.next() & random_.next()) | one;
        }
    }

    slot_bench<queue_picker_call> bench_;
    port_coverage& coverage_;
    random_stream& random_;
    const std::size_t picks_;
    unsigned last_ = queues;  ///< queue that was taken last; 64: none since reset
};

}  // namespace

void drive_queue_picker(const stimulus_target& to) {
    queue_picker_driver(to).run(to.steps);
}

}  // namespace heddle::cosim
