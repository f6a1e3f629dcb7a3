// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Pins in a waveform.
#include "hw/cosim/pins/pin_waves.h"

#include <gmock/gmock.h>

#include <string>
#include <tuple>

#include "tests/hw/base/vcd_reader.h"

namespace heddle::pins {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct wide_pins {
    explicit wide_pins(const std::string& channel) : tag(channel, "tag"), data(channel, "data") {}
    auto all() { return std::tie(tag, data); }

    pin<4> tag;
    pin<128> data;
};

/// Edge k lies at k ns. What edge 2 drives is sampled, and shown, at edge 3.
class drives_at_edge_2 final : public pin_part {
public:
    drives_at_edge_2(pin_clock& clock, pin_channel<wide_pins>& beats,
                     credit_channel<wide_pins>& updates)
        : pin_part(clock), domain_(clock.domain()), beats_(beats), updates_(updates) {}
    void clock_edge() override {
        if (domain_.edge() != 2) return;
        sc_dt::sc_bv<128> data;
        data[127] = data[32] = data[0] = true;
        beats_.valid.write(true);
        beats_.payload.tag.write(5);
        beats_.payload.data.write(data);
        updates_.credit.write(true);
    }

private:
    const clock_domain& domain_;
    pin_channel<wide_pins>& beats_;
    credit_channel<wide_pins>& updates_;
};

TEST(pin_waves, show_what_an_edge_samples) {
    const std::string file = testing::TempDir() + "pin_waves.vcd";
    {
        waveform_options options;
        options.scopes = {"beat_*", "update_credit"};
        waveform waves(file, options);
        clock_domain domain("clock", frequency::megahertz(1000));
        pin_clock clock("pins", domain);
        pin_channel<wide_pins> beats("beat");
        credit_channel<wide_pins> updates("update");
        pin_waves shown(waves, clock);
        shown.show(beats);
        shown.show(updates);
        const drives_at_edge_2 part(clock, beats, updates);
        sc_core::sc_start(6, sc_core::SC_NS);
        waves.close();
    }
    const vcd_reader waves(file);
    ASSERT_EQ(waves.variables().size(), 5U) << "update_valid and its payload are left out";
    const auto changes = [&](const char* name) { return waves[name].values; };
    EXPECT_THAT(changes("beat_valid"), ElementsAre(Pair(0, "0"), Pair(3000, "1")));
    EXPECT_THAT(changes("beat_ready"), ElementsAre(Pair(0, "0")));
    EXPECT_THAT(changes("beat_tag"), ElementsAre(Pair(0, "0"), Pair(3000, "101")));
    EXPECT_THAT(changes("beat_data"),
                ElementsAre(Pair(0, "0"), Pair(3000, "1" + std::string(94, '0') + "1" +
                                                         std::string(31, '0') + "1")));
    EXPECT_THAT(changes("update_credit"), ElementsAre(Pair(0, "0"), Pair(3000, "1")));
    EXPECT_EQ(waves["beat_data"].width, 128U);
}

TEST(pin_waves, show_clock_and_reset) {
    const std::string file = testing::TempDir() + "pin_clock.vcd";
    {
        waveform waves(file);
        clock_domain domain("clock", frequency::megahertz(1000));
        pin_clock clock("pins", domain, 2);
        pin_waves::show_clock(waves, clock, "bus");
        sc_core::sc_start(2800, sc_core::SC_PS);
        waves.close();
    }
    const vcd_reader waves(file);
    EXPECT_THAT(waves["bus.clk"].values,
                ElementsAre(Pair(0, "0"), Pair(0, "1"), Pair(500, "0"), Pair(1000, "1"),
                            Pair(1500, "0"), Pair(2000, "1"), Pair(2500, "0")));
    EXPECT_THAT(waves["bus.rst_n"].values, ElementsAre(Pair(0, "0"), Pair(1000, "1")))
        << "low with two rising edges";
}

}  // namespace
}  // namespace heddle::pins
