// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/bench/random_manager.h"

#include <algorithm>

#include "hw/axi/burst.h"
#include "models/base/bits.h"

namespace heddle::axi {

namespace {

bool meets(const std::vector<address_beat>& open, const address_beat& burst) {
    return std::any_of(open.begin(), open.end(),
                       [&](const address_beat& each) { return overlap(each, burst); });
}

/// The oldest one of an ID is over.
void answered(std::vector<address_beat>& open, std::uint32_t id) {
    const auto found = std::find_if(open.begin(), open.end(),
                                    [&](const address_beat& each) { return each.id == id; });
    if (found != open.end()) open.erase(found);
}

}  // namespace

void random_manager::clock(const subordinate_side& seen) {
    constexpr std::uint64_t phase = 500, stalls_of_phases[] = {0, 10, 50, 90};
    if (clocks_++ % phase == 0) stall_ = stalls_of_phases[random_.below(4)];
    if (pins_.aw_valid && seen.aw_ready) pins_.aw_valid = false;
    if (pins_.ar_valid && seen.ar_ready) pins_.ar_valid = false;
    if (pins_.w_valid && seen.w_ready) pins_.w_valid = false;
    if (pins_.b_ready && seen.b_valid) answered(writes_, seen.b.id);
    if (pins_.r_ready && seen.r_valid && seen.r.last) answered(reads_, seen.r.id);
    pins_.b_ready = !stalls();
    pins_.r_ready = !stalls();
    if (!stalls()) begin();
    if (!pins_.w_valid && !to_send_.empty() && !stalls()) drive_w();
}

void random_manager::begin() {
    if (begun_ == options_.bursts || writes_.size() + reads_.size() >= options_.under_way) return;
    const bool write = random_.below(2) == 0;
    if (write ? pins_.aw_valid : pins_.ar_valid) return;
    const address_beat burst = draw();
    const bool judged = !meets(writes_, burst) && (!write || !meets(reads_, burst));
    if (!judged && random_.below(16) != 0) return;
    ++begun_;
    (write ? writes_ : reads_).push_back(burst);
    if (write) {
        pins_.aw_valid = true;
        pins_.aw = burst;
        to_send_.push_back({burst});
    } else {
        pins_.ar_valid = true;
        pins_.ar = burst;
    }
}

address_beat random_manager::draw() {
    address_beat burst;
    const unsigned sizes = bits::first(options_.bus_bytes) + 1;  // a power of two
    burst.id = static_cast<std::uint32_t>(random_.below(options_.ids));
    burst.size =
        static_cast<std::uint8_t>(random_.below(4) == 0 ? random_.below(sizes) : sizes - 1);
    const std::uint64_t kind = random_.below(16);
    burst.length = static_cast<std::uint8_t>(kind < 6    ? 0
                                             : kind < 15 ? random_.below(16)
                                                         : random_.below(maximum_beats));
    const unsigned most = boundary / burst.beat_bytes();  // beats
    if (burst.beats() > most) burst.length = static_cast<std::uint8_t>(most - 1);
    // Often near the begin of the region, so that what is read has been written.
    const std::uint64_t region = random_.below(2) == 0 ? options_.region : options_.region / 16;
    do {
        burst.address = random_.below(region);
        if (random_.below(2) == 0) burst.address &= ~std::uint64_t{burst.beat_bytes() - 1};
    } while (crosses_boundary(burst) || end_of(burst) > options_.region);
    return burst;
}

void random_manager::drive_w() {
    sent_write& write = to_send_.front();
    pins_.w_valid = true;
    for (std::uint8_t& byte : pins_.w.data) byte = static_cast<std::uint8_t>(random_.next());
    const std::uint64_t all = lanes_of(place_of(write.burst, write.beat, options_.bus_bytes));
    const std::uint64_t kind = random_.below(4);
    pins_.w.strobe = kind == 0                            ? all & random_.next()
                     : kind == 1 && random_.below(8) == 0 ? 0
                                                          : all;
    pins_.w.last = ++write.beat == write.burst.beats();
    if (pins_.w.last) to_send_.pop_front();
}

}  // namespace heddle::axi
