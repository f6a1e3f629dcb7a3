// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/stimulus/port_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/bits.h"
#include "models/base/text_table.h"

namespace heddle::cosim {

port_coverage::port_coverage(std::vector<port_shape> ports) {
    std::size_t next[2] = {};
    for (port_shape& shape : ports) {
        std::size_t& at = next[static_cast<std::size_t>(shape.way)];
        const std::size_t bits = shape.bits();
        const unsigned width = shape.width;
        ports_.push_back({std::move(shape), at, width});
        at += bits;
    }
}

void port_coverage::expect(const std::string& port, unsigned bits) {
    for (auto& each : ports_) {
        if (each.shape.name == port) each.expected = bits;
    }
}

void port_coverage::add(const std::uint32_t* inputs, const std::uint32_t* outputs) {
    for (port& p : ports_) {
        const std::uint32_t* const words = p.shape.way == port_direction::input ? inputs : outputs;
        for (unsigned e = 0; e < p.shape.elements; ++e) {
            const std::uint64_t value =
                get_bits(words, p.at + std::size_t{e} * p.shape.width, p.shape.width);
            p.ones |= value;
            p.zeros |= ~value;
            p.lowest = std::min(p.lowest, value);
            p.highest = std::max(p.highest, value);
        }
    }
}

std::size_t port_coverage::declare(situations table) {
    const std::size_t cells = table.rows.size() * table.columns.size();
    tables_.push_back({std::move(table), std::vector<std::uint64_t>(cells)});
    return tables_.size() - 1;
}

void port_coverage::add(std::size_t table, unsigned row, unsigned column) {
    counted& to = tables_[table];
    ++to.counts[row * to.table.columns.size() + column];
}

unsigned port_coverage::port::bits_with_both() const {
    return std::min(expected, bits::count(zeros & ones & bits::below(shape.width)));
}

bool port_coverage::counted::is_legal(unsigned row, unsigned column) const {
    return std::find(table.never.begin(), table.never.end(), std::pair(row, column)) ==
           table.never.end();
}

unsigned port_coverage::counted::not_reached() const {
    unsigned missing = 0;
    for (unsigned r = 0; r < table.rows.size(); ++r) {
        for (unsigned c = 0; c < table.columns.size(); ++c) {
            missing += is_legal(r, c) && at(r, c) == 0 ? 1 : 0;
        }
    }
    return missing;
}

unsigned port_coverage::not_reached() const {
    unsigned missing = 0;
    for (const port& p : ports_) missing += p.expected - p.bits_with_both();
    for (const counted& table : tables_) missing += table.not_reached();
    return missing;
}

std::string port_coverage::text() const {
    using align = text_table::align;
    text_table values({{"port"},
                       {"bits that had both values", align::right},
                       {"lowest", align::right},
                       {"highest", align::right},
                       {""}});
    for (const port& p : ports_) {
        const unsigned both = p.bits_with_both();
        values.add_row({p.shape.name, fmt::format("{} of {}", both, p.expected),
                        fmt::format("{:#x}", p.lowest), fmt::format("{:#x}", p.highest),
                        both == p.expected ? "" : "NOT REACHED"});
    }
    std::string all = values.str();
    for (const counted& one : tables_) {
        std::vector<text_table::column> columns{{one.table.title}};
        for (const std::string& name : one.table.columns) columns.push_back({name, align::right});
        text_table lines(std::move(columns));
        for (unsigned r = 0; r < one.table.rows.size(); ++r) {
            std::vector<std::string> cells{one.table.rows[r]};
            for (unsigned c = 0; c < one.table.columns.size(); ++c) {
                const bool missing = one.at(r, c) == 0;
                cells.push_back(!missing             ? std::to_string(one.at(r, c))
                                : one.is_legal(r, c) ? "NOT REACHED"
                                                     : "-");
            }
            lines.add_row(std::move(cells));
        }
        all += '\n' + lines.str();
    }
    return all;
}

}  // namespace heddle::cosim
