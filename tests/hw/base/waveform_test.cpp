// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/waveform.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "hw/base/clock_domain.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/base/vcd_reader.h"

namespace heddle {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string file_name(const std::string& name) {
    return testing::TempDir() + "heddle_" + std::to_string(getpid()) + "_" + name;
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Calls `change(edge)` in update, for `edges` edges.
class driver final : public clocked {
public:
    driver(clock_domain& domain, std::uint64_t edges, std::function<void(std::uint64_t)> change)
        : clocked(domain, "driver"), edges_(edges), change_(std::move(change)) {}
    void evaluate() override {}
    activity update() override {
        change_(domain().edge());
        return domain().edge() + 1 < edges_ ? activity::busy : activity::idle;
    }

private:
    std::uint64_t edges_;
    std::function<void(std::uint64_t)> change_;
};

TEST(waveform, writes_what_is_pushed) {
    const std::string path = file_name("push.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    wave_bits flag = sink.declare_bits("gpu.smx_0.flag", 1);
    wave_bits mask = sink.declare_bits("gpu.smx_0.mask", 40);
    wave_bits wide = sink.declare_bits("gpu.smx_1.wide", 70);
    wave_integer level = sink.declare_integer("gpu.level");
    wave_real rate = sink.declare_real("gpu.rate");
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
        rate.set(edge < 2 ? 0.0 : 0.25);
        state.set(edge);
    });
    sc_core::sc_start();
    EXPECT_FALSE(std::filesystem::exists(path));  // appears when it is complete
    sink.close();
    const vcd_reader vcd(path);
    EXPECT_EQ(vcd.variables().size(), 6U);
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
    EXPECT_THAT(vcd["gpu.rate"].values, ElementsAre(Pair(0, "0"), Pair(2000, "0.25")));
    EXPECT_THAT(vcd["gpu.smx_0.state"].values,
                ElementsAre(Pair(0, "idle"), Pair(1000, "fetch_next"), Pair(2000, "stall"),
                            Pair(3000, "3")));
    EXPECT_EQ(vcd.end_time(), 3000U);
    std::filesystem::remove(path);
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
    EXPECT_FALSE(sink.declare_real("gpu.kmu.rate").on());
    EXPECT_THAT(sink.unmatched_scopes(), ElementsAre("gpu.l2"));
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

TEST(waveform, an_exception_leaves_no_file) {
    const std::string path = file_name("exception.vcd");
    try {
        waveform sink(path);
        (void)sink.declare_bits("gpu.a", 1);
        throw configuration_error("later");
    } catch (const configuration_error&) {
        // the sink was destroyed on the way here
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(waveform, gtkwave_tools_accept_it) {
    if (std::system("command -v vcd2fst >/dev/null && command -v fst2vcd >/dev/null") != 0) {
        GTEST_SKIP() << "vcd2fst is missing: install gtkwave to run this test";
    }
    const std::string path = file_name("gtkwave.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    wave_bits mask = sink.declare_bits("gpu.smx_0.mask", 32);
    wave_state state = sink.declare_state("gpu.state", {"idle", "busy"});
    wave_real rate = sink.declare_real("gpu.rate");
    wave_integer level = sink.declare_integer("level");
    driver part(core, 10, [&](std::uint64_t edge) {
        mask.set(edge * 3);
        state.set(edge & 1);
        rate.set(static_cast<double>(edge) * 0.5);
        level.set(-static_cast<std::int64_t>(edge));
        sink.write_comment("edge $end " + std::to_string(edge));
    });
    sc_core::sc_start();
    sink.close();
    const std::string fst = path + ".fst";
    const std::string back = path + ".back";
    ASSERT_EQ(std::system(("vcd2fst " + path + " " + fst + " >/dev/null 2>&1").c_str()), 0);
    ASSERT_EQ(std::system(("fst2vcd " + fst + " > " + back + " 2>/dev/null").c_str()), 0);
    const std::string text = read_file(back);
    EXPECT_THAT(text, HasSubstr("mask"));
    EXPECT_THAT(text, HasSubstr("b00000000000000000000000000011011 "));  // 9 * 3
    EXPECT_THAT(text, HasSubstr("sbusy "));
    EXPECT_THAT(text, HasSubstr("r4.5 "));
    EXPECT_THAT(text, HasSubstr("#9000"));
    for (const std::string& file : {path, fst, back}) {
        std::filesystem::remove(file);
    }
}

}  // namespace
}  // namespace heddle
