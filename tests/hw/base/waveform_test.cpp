// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/waveform.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "hw/base/wave_view.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/base/vcd_reader.h"
#include "tests/hw/base/wave_driver.h"

namespace heddle {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(waveform, writes_what_is_pushed) {
    const std::string path = file_name("push.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    wave_bits flag = sink.declare_bits("gpu.smx_0.flag", 1);
    wave_bits mask = sink.declare_bits("gpu.smx_0.mask", 40);
    wave_bits wide = sink.declare_bits("gpu.smx_1.wide", 70);
    wave_integer level = sink.declare_integer("gpu.level");
    wave_state state = sink.declare_state("gpu.smx_0.state", {"idle", "fetch next", "stall"});
    level.set(-1);  // before the start: the initial value
    driver part(core, 4, [&](std::uint64_t edge) {
        flag.set(edge & 1);
        mask.set(edge == 2 ? ~std::uint64_t{0} : 5);
        const std::uint64_t words[2] = {edge, edge == 3 ? 0x3fU : 0};
        wide.set(words);
        if (edge == 2) {
            level.set(12), level.set(-2);
        }
        state.set(edge);
    });
    sc_core::sc_start();
    EXPECT_FALSE(std::filesystem::exists(path));  // appears when it is complete
    sink.close();
    const vcd_reader vcd(path);
    EXPECT_EQ(vcd.variables().size(), 5U);
    EXPECT_THAT(vcd["gpu.smx_0.flag"].values,
                ElementsAre(Pair(0, "0"), Pair(1000, "1"), Pair(2000, "0"), Pair(3000, "1")));
    EXPECT_EQ(vcd["gpu.smx_0.mask"].width, 40U);
    EXPECT_THAT(vcd["gpu.smx_0.mask"].values,
                ElementsAre(Pair(0, "0"), Pair(0, "101"), Pair(2000, std::string(40, '1')),
                            Pair(3000, "101")));
    EXPECT_THAT(vcd["gpu.smx_1.wide"].values,
                ElementsAre(Pair(0, "0"), Pair(1000, "1"), Pair(2000, "10"),
                            Pair(3000, std::string(6, '1') + std::string(62, '0') + "11")));
    EXPECT_THAT(vcd["gpu.level"].values,
                ElementsAre(Pair(0, std::string(64, '1')), Pair(2000, std::string(63, '1') + "0")));
    EXPECT_THAT(vcd["gpu.smx_0.state"].values,
                ElementsAre(Pair(0, "0"), Pair(1000, "1"), Pair(2000, "10"), Pair(3000, "11")));
    EXPECT_THAT(read_file(path), HasSubstr("states of 2 bits: 0=idle 1=fetch_next 2=stall\n"));
    EXPECT_EQ(vcd.end_time(), 3000U);
    std::filesystem::remove(path);
}

TEST(waveform, each_list_of_states_has_a_width_of_its_own) {
    const std::string path = file_name("states.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    wave_state four = sink.declare_state("a", {"n", "e", "s", "w"});
    wave_state two = sink.declare_state("b", {"on", "off"});
    wave_state same = sink.declare_state("c", {"on", "off"});
    wave_state other = sink.declare_state("d", {"out", "in"});
    driver part(core, 2, [&](std::uint64_t edge) {
        for (wave_state* state : {&four, &two, &same}) state->set(1);
        other.set(edge);
    });
    sc_core::sc_start();
    sink.close();
    const vcd_reader vcd(path);
    EXPECT_EQ(vcd["b"].width, 2U) << "wider than a bit, which viewers draw as a line";
    EXPECT_EQ(vcd["c"].width, 2U);
    EXPECT_EQ(vcd["d"].width, 3U);
    EXPECT_EQ(vcd["a"].width, 4U);
    EXPECT_THAT(vcd["a"].values, ElementsAre(Pair(0, "0"), Pair(0, "1")));
    const std::string names =
        wave_names(sink.contents(), [](const auto& name) { return name == "in" ? "red" : ""; });
    EXPECT_THAT(names, HasSubstr("00 on\n01 off\n"));
    EXPECT_THAT(names, HasSubstr("000 out\n001 ?red?in\n0000 n\n"));
    std::filesystem::remove(path);
}

TEST(waveform, texts_are_one_word) {
    const std::string path = file_name("text.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    wave_text text = sink.declare_text("gpu.kernel");
    driver part(core, 4, [&](std::uint64_t edge) {
        text.set(edge == 3 ? "" : edge == 0 ? "saxpy" : "two words");
    });
    sc_core::sc_start();
    sink.close();
    const vcd_reader vcd(path);
    EXPECT_EQ(vcd["gpu.kernel"].type, "string");
    EXPECT_THAT(vcd["gpu.kernel"].values, ElementsAre(Pair(0, "-"), Pair(0, "saxpy"),
                                                      Pair(1000, "two_words"), Pair(3000, "-")));
    std::filesystem::remove(path);
}

/// `level` is the number of the edge, 0 to 9, 1 ns apart; `same` is set once.
vcd_reader windowed(time_window window) {
    const std::string path = file_name("window.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform_options options;
    options.window = window;
    waveform sink(path, options);
    wave_integer level = sink.declare_integer("level");
    wave_bits same = sink.declare_bits("same", 2);
    driver part(core, 10, [&](std::uint64_t edge) {
        level.set(static_cast<std::int64_t>(edge));
        if (edge == 1) same.set(2);
    });
    sc_core::sc_start();
    sink.close();
    vcd_reader vcd(path);
    std::filesystem::remove(path);
    return vcd;
}

TEST(waveform, a_window_begins_with_the_values_of_then_and_leaves_out_the_rest) {
    struct expected {
        time_window window;
        vcd_reader::changes level, same;
        std::uint64_t end;
    };
    const std::vector<expected> cases{
        // An edge at either end belongs to the window.
        {{4000, 6000},
         {{4000, "11"}, {4000, "100"}, {5000, "101"}, {6000, "110"}},
         {{4000, "10"}},
         6000},
        {{4001, 5999}, {{4001, "100"}, {5000, "101"}}, {{4001, "10"}}, 5999},
        {{8000, ~std::uint64_t{0}},
         {{8000, "111"}, {8000, "1000"}, {9000, "1001"}},
         {{8000, "10"}},
         9000},
        {{0, 1500}, {{0, "0"}, {1000, "1"}}, {{0, "0"}, {1000, "10"}}, 1500},
        // The run does not come so far.
        {{20000, 30000}, {{9000, "1001"}}, {{9000, "10"}}, 9000},
    };
    for (const expected& one : cases) {
        const process_result result = run_in_child([&](std::string& output) {
            const vcd_reader vcd = windowed(one.window);
            output = vcd["level"].values == one.level && vcd["same"].values == one.same &&
                             vcd.end_time() == one.end
                         ? "good"
                         : testing::PrintToString(vcd["level"].values) + " to " +
                               std::to_string(vcd.end_time());
            return 0;
        });
        EXPECT_EQ(result.output, "good") << one.window.from << " to " << one.window.to;
    }
}

/// One run with random pushes, parts and declarations in an order given by `order`.
std::string random_run(std::uint64_t seed, std::uint64_t order, const std::string& path) {
    clock_domain core("core", frequency::megahertz(706));
    waveform sink(path);
    constexpr std::size_t count = 150;
    std::vector<wave_bits> handles(count);
    std::vector<std::size_t> sequence(count);
    for (std::size_t i = 0; i < count; ++i) {
        sequence[i] = i;
    }
    random_stream shuffle(order, "order");
    for (std::size_t i = count; i > 1; --i) {
        std::swap(sequence[i - 1], sequence[shuffle.below(i)]);
    }
    std::vector<std::unique_ptr<driver>> parts;
    for (const std::size_t i : sequence) {
        handles[i] = sink.declare_bits("gpu.smx_" + std::to_string(i % 7) + ".unit_" +
                                           std::to_string(i % 3) + ".v" + std::to_string(i),
                                       1 + static_cast<unsigned>(i) % 64);
        parts.push_back(std::make_unique<driver>(core, 500, [&, i, seed](std::uint64_t edge) {
            random_stream random(seed * 1000 + i, std::to_string(edge));
            if (random.chance(0.3)) {
                handles[i].set(random.next());
            }
        }));
    }
    sc_core::sc_start();
    sink.close();
    return read_file(path);
}

TEST(waveform, bytes_do_not_depend_on_the_run_or_the_order_of_modules) {
    const std::string path = file_name("same.vcd");
    std::vector<std::string> files;
    for (const std::uint64_t order : {1, 1, 2}) {
        files.push_back(run_in_child([&](std::string& output) {
                            output = random_run(5, order, path);
                            return 0;
                        }).output);
    }
    ASSERT_GT(files[0].size(), 100000U);  // more than one buffer
    EXPECT_TRUE(files[0] == files[1]);
    EXPECT_TRUE(files[0] == files[2]);
    EXPECT_EQ(vcd_reader(path).variables().size(), 150U);
    std::filesystem::remove(path);
}

TEST(waveform, takes_sc_trace_of_signals_and_variables) {
    const std::string path = file_name("sc_trace.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    sc_core::sc_signal<bool> bit("bit");
    sc_core::sc_signal<sc_dt::sc_uint<12>> number("number");
    sc_core::sc_signal<sc_dt::sc_lv<4>> logic("logic");
    int counter = 0;
    double real = 0;
    sc_dt::sc_bigint<80> big = 0;
    sc_core::sc_event event("event");
    {
        waveform sink(path);
        sc_core::sc_trace(&sink, bit, "top.bit");
        sc_core::sc_trace(&sink, number, "top.number");
        sc_core::sc_trace(&sink, logic, "top.logic");
        sc_core::sc_trace(&sink, counter, "top.counter");
        sc_core::sc_trace(&sink, real, "top.real");
        sc_core::sc_trace(&sink, big, "top.big");
        sc_core::sc_trace(&sink, event, "top.event");
        driver part(core, 3, [&](std::uint64_t edge) {
            bit = edge == 1;
            number = static_cast<unsigned>(edge * 100);
            if (edge == 2) {
                logic = sc_dt::sc_lv<4>("1Z0X");
            }
            counter = -static_cast<int>(edge);
            real = static_cast<double>(edge) / 2;
            if (edge == 2) {
                big = -1;
                event.notify();
            }
        });
        sc_core::sc_start();
    }  // the destructor completes the file
    const vcd_reader vcd(path);
    EXPECT_THAT(vcd["top.bit"].values, ElementsAre(Pair(0, "0"), Pair(1000, "1"), Pair(2000, "0")));
    EXPECT_THAT(vcd["top.number"].values,
                ElementsAre(Pair(0, "0"), Pair(1000, "1100100"), Pair(2000, "11001000")));
    EXPECT_EQ(vcd["top.logic"].values.back(), std::pair(std::uint64_t{2000}, std::string("1z0x")));
    EXPECT_EQ(vcd["top.counter"].width, 32U);
    EXPECT_EQ(vcd["top.counter"].values.back().second, std::string(31, '1') + "0");
    EXPECT_THAT(vcd["top.real"].values,
                ElementsAre(Pair(0, "0"), Pair(1000, "0.5"), Pair(2000, "1")));
    EXPECT_EQ(vcd["top.big"].values.back().second, std::string(80, '1'));
    EXPECT_THAT(vcd["top.event"].values, ElementsAre(Pair(2000, "1")));
    std::filesystem::remove(path);
}

TEST(waveform, filters_by_scope_and_names_patterns_that_match_nothing) {
    const std::string path = file_name("scope.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform_options options;
    options.scopes = {"gpu.smx_[01]", "*.kmu.*depth", "gpu.l2"};
    waveform sink(path, options);
    EXPECT_TRUE(sink.declare_bits("gpu.smx_0.alu.busy", 1).on());
    EXPECT_TRUE(sink.declare_bits("gpu.smx_1.busy", 1).on());
    wave_bits off = sink.declare_bits("gpu.smx_2.busy", 1);
    EXPECT_FALSE(off.on());
    EXPECT_FALSE(sink.declare_bits("gpu.smx_10.busy", 1).on());
    EXPECT_TRUE(sink.declare_integer("gpu.kmu.queue_depth").on());
    EXPECT_THAT(sink.scopes().unmatched(), ElementsAre("gpu.l2"));
    off.set(1);
    wave_bits().set(1);
    sink.close();
    EXPECT_EQ(vcd_reader(path).variables().size(), 3U);
    std::filesystem::remove(path);
}

TEST(waveform, rejects_bad_declarations_and_files) {
    const std::string path = file_name("bad.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    (void)sink.declare_bits("gpu.a", 1);
    EXPECT_THROW((void)sink.declare_integer("gpu.a"), configuration_error);
    EXPECT_THROW((void)sink.declare_bits("gpu.b", 0), configuration_error);
    EXPECT_THROW(waveform("/no/such/folder/x.vcd"), configuration_error);
    sink.close();
    EXPECT_THROW((void)sink.declare_bits("gpu.c", 1), configuration_error);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace heddle
