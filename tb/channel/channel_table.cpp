// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/channel/channel_table.h"

#include <fmt/format.h>

#include <utility>

#include "hw/memory_controller/request_schedulers.h"

namespace heddle::channel {
namespace {

constexpr double tolerance = 0.05;

class builder {
public:
    explicit builder(const memory_controller_configuration& base) : base_(base) {}

    /// Reads of which the last one waits for nobody else: rows of bank 0.
    void isolated(const char* name, const std::vector<std::uint64_t>& rows, unsigned clocks) {
        const address_decoder decoder(base_.masks(), base_.access_granularity);
        table_row& row = add(name, {});
        for (const std::uint64_t each : rows) {
            row.chosen.push_back({decoder.encode({0, 0, 0, each}), false});
        }
        row.low = row.high = clocks;
        row.expected = fmt::format("{} clocks", clocks);
    }
    table_row& share(const std::string& name, const traffic_options& traffic, double low,
                     double high) {
        table_row& row = add(name, traffic);
        row.low = low * (1 - tolerance);
        row.high = high * (1 + tolerance);
        row.expected =
            low == high ? fmt::format("{:.3f}", low) : fmt::format("{:.3f} to {:.3f}", low, high);
        return row;
    }
    table_row& at_least(const std::string& name, const traffic_options& traffic, double least) {
        table_row& row = add(name, traffic);
        row.low = least;
        row.high = 1;
        row.expected = fmt::format("at least {:.2f}", least);
        return row;
    }
    [[nodiscard]] std::vector<table_row> take() { return std::move(rows_); }

private:
    table_row& add(const std::string& name, const traffic_options& traffic) {
        table_row row;
        row.name = name;
        row.configuration = base_;
        row.traffic = traffic;
        rows_.push_back(std::move(row));
        return rows_.back();
    }

    memory_controller_configuration base_;
    std::vector<table_row> rows_;
};

/// A whole row of a bank at consecutive addresses, then the next bank: row, bank, column.
void order_row_bank_column(memory_controller_configuration& c) {
    c.column_mask = 0xfff;
    c.bank_mask = 0xf000;
}

void add_streams(builder& table) {
    const struct {
        unsigned streams;
        double fifo, fr_fcfs;
    } pairs[] = {{4, 0.31, 0.94}, {16, 0.25, 0.95}, {64, 0.25, 0.57}};
    traffic_options traffic;
    traffic.kind = traffic_kind::streams;
    for (const auto& pair : pairs) {
        traffic.streams = pair.streams;
        for (const bool fifo : {true, false}) {
            const dram_scheduler scheduler = fifo ? request_schedulers::key<fifo_scheduler>
                                                  : request_schedulers::key<fr_fcfs_scheduler>;
            const double wanted = fifo ? pair.fifo : pair.fr_fcfs;
            table_row& row = table.share(
                fmt::format("{} streams, {}", pair.streams, request_schedulers::name(scheduler)),
                traffic, wanted, wanted);
            row.configuration.scheduler = scheduler;
            order_row_bank_column(row.configuration);
            // With few streams in order it matters which banks they start in.
            row.placements = 9;
            row.by_range = fifo && pair.streams <= 16;
        }
    }
}

}  // namespace

std::vector<table_row> channel_table(memory_controller_configuration gf100) {
    gf100.front_latency = gf100.back_latency = 0;
    const memory_controller_configuration configured = gf100;
    // The channel alone, with the queue of the published figures.
    gf100.queue = 32;
    gf100.write_high_watermark = gf100.queue / 2;
    builder table(gf100);
    const protocol::dram_timing& t = gf100.timing;
    table.isolated("isolated read, closed bank", {0}, t.cl + 3 + t.rcd);
    table.isolated("isolated read, row hit", {0, 0}, t.cl + 3);
    table.isolated("isolated read, conflict", {0, 1}, t.cl + 3 + t.rcd + t.rp);

    traffic_options traffic;
    traffic.kind = traffic_kind::one_row;
    for (const std::uint32_t ccdl : {2U, 3U, 8U}) {
        const double limit = 2.0 / ccdl;
        table.share(fmt::format("one row, CCDL {}", ccdl), traffic, limit, limit)
            .configuration.timing.ccdl = ccdl;
    }
    traffic.kind = traffic_kind::sequential;
    table.at_least("sequential", traffic, 0.94);
    traffic.writes = 0.3;
    table.at_least("sequential, 70/30, queue 128", traffic, 0.94).configuration = configured;
    traffic.writes = 0;
    traffic.kind = traffic_kind::random;
    table.share("random reads", traffic, 0.31, 1.0 / 3);
    traffic.writes = 0.3;
    table.share("random, 70/30 reads/writes", traffic, 0.32, 0.32);
    traffic.writes = 0;
    for (const std::uint32_t queue : {64U, 32U}) {
        table_row& row =
            table.share(fmt::format("random reads, RRD 1, queue {}", queue), traffic, 0.65, 0.65);
        row.configuration.timing.rrd = 1;
        row.configuration.queue = queue;
        // 32 random requests leave a quarter of the banks idle: docs/results/dram.md
        row.judged = queue != 32;
    }
    add_streams(table);
    return table.take();
}

}  // namespace heddle::channel
