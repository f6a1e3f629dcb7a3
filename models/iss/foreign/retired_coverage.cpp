// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/foreign/retired_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/base/bits.h"
#include "models/base/text_table.h"
#include "models/program/address_map.h"

namespace heddle::iss {
namespace {

constexpr const char* shape_names[] = {"all lanes", "low lanes", "one lane", "others"};
constexpr const char* degree_names[] = {"1", "2", "3 to 4", "5 to 8", "more"};

unsigned degree_of(std::size_t count) noexcept {
    return count <= 1 ? 0 : count == 2 ? 1 : count <= 4 ? 2 : count <= 8 ? 3 : 4;
}

const char* memory_of(std::uint32_t address) noexcept {
    if (program::shared_window.contains(address)) return "shared";
    return program::private_window.contains(address) ? "private" : "global";
}

std::string access_name(const char* what, unsigned bytes, const char* memory) {
    return fmt::format("{} {} of {} bytes", memory, what, bytes);
}

template <class Counts, class Names>
void add_counts(text_table& table, const std::string& what, const Counts& counts,
                const Names& names) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
        table.add_row({what + names(i), std::to_string(counts[i])});
    }
}

}  // namespace

void retired_coverage::take(const heddle_retired& r) {
    if (r.kind == HEDDLE_STEP) step(r);
    if (r.kind == HEDDLE_DATA) data(r);
    if (r.kind == HEDDLE_BLOCK_END) {
        warps_.erase(warps_.lower_bound({r.launch, r.block, 0}),
                     warps_.upper_bound({r.launch, r.block, ~std::uint32_t{0}}));
    }
}

unsigned retired_coverage::depth_of(warp& w, isa::lane_mask lanes) const {
    while (!w.masks.empty() && (lanes & ~w.masks.back()) != 0) w.masks.pop_back();
    if (w.masks.empty() || w.masks.back() != lanes) w.masks.push_back(lanes);
    return static_cast<unsigned>(std::min<std::size_t>(w.masks.size() - 1, deepest));
}

void retired_coverage::step(const heddle_retired& r) {
    const isa::instruction i = isa::decode(r.word);
    const isa::lane_mask all = bits::below(r.warp_size);
    const shape of = r.lanes == all                   ? full
                     : (r.lanes & (r.lanes - 1)) == 0 ? single
                     : (r.lanes & (r.lanes + 1)) == 0 ? low
                                                      : other;
    ++instructions_[std::string(isa::mnemonic(i.op))][of];
    warp& w = warps_[{r.launch, r.block, r.warp}];
    ++depths_[depth_of(w, r.lanes)];
    if (i.op == isa::opcode::barrier) ++(r.lanes == all ? barriers_whole_ : barriers_apart_);
    if (r.access == HEDDLE_NO_ACCESS) return;
    access(r, i);
    const bool late = r.access != HEDDLE_STORE && r.known != r.lanes;
    if (late && r.known != 0) ++loads_in_parts_;
}

void retired_coverage::access(const heddle_retired& r, const isa::instruction& i) {
    static constexpr const char* names[] = {"", "load", "store", "atomic"};
    std::set<const char*> memories;
    std::set<std::uint32_t> touched_lines;
    std::vector<std::set<std::uint32_t>> words(banks_);
    bits::for_each(r.lanes, [&](unsigned lane) {
        const std::uint32_t address = r.address[lane];
        const char* const memory = memory_of(address);
        memories.insert(memory);
        if (program::shared_window.contains(address))
            words[address / 4 % banks_].insert(address / 4);
        if (!program::private_window.contains(address)) touched_lines.insert(address / line_bytes_);
    });
    for (const char* memory : memories) {
        ++accesses_[access_name(names[r.access], i.access_bytes(), memory)];
    }
    std::size_t worst = 0;
    for (const auto& bank : words) worst = std::max(worst, bank.size());
    if (worst != 0) {
        ++conflicts_[degree_of(worst)];
    } else if (!touched_lines.empty()) {
        ++lines_[degree_of(touched_lines.size())];
    }
}

void retired_coverage::data(const heddle_retired& r) {
    warp& w = warps_[{r.launch, r.block, r.warp}];
    if (r.n < w.last_loaded) ++loads_out_of_order_;
    if (r.n == w.last_loaded) ++loads_in_parts_;
    w.last_loaded = std::max(w.last_loaded, r.n);
}

std::string retired_coverage::table() const {
    using column = text_table::column;
    constexpr auto right = text_table::align::right;
    text_table by_shape({column{"instruction"}, column{shape_names[0], right},
                         column{shape_names[1], right}, column{shape_names[2], right},
                         column{shape_names[3], right}});
    for (const auto& [name, counts] : instructions_) {
        std::vector<std::string> row{name};
        for (const std::uint64_t count : counts) row.push_back(std::to_string(count));
        by_shape.add_row(row);
    }
    std::string missing;
    for (std::size_t op = 0; op < isa::opcode_count; ++op) {
        const std::string name(isa::mnemonic(static_cast<isa::opcode>(op)));
        if (instructions_.count(name) == 0) missing += (missing.empty() ? "" : ", ") + name;
    }
    text_table events({column{"event"}, column{"count", right}});
    add_counts(events, "depth of divergence ", depths_,
               [](std::size_t i) { return std::to_string(i) + (i == deepest ? " or more" : ""); });
    add_counts(events, "words of one bank in an access: ", conflicts_,
               [](std::size_t i) { return degree_names[i]; });
    add_counts(events, "lines of an access: ", lines_,
               [](std::size_t i) { return degree_names[i]; });
    for (const char* memory : {"global", "shared", "private"}) {
        for (const char* what : {"load", "store", "atomic"}) {
            for (const unsigned bytes : {1U, 2U, 4U}) {
                if (*what == 'a' && bytes != 4) continue;
                const std::string name = access_name(what, bytes, memory);
                const auto found = accesses_.find(name);
                events.add_row(
                    {name, std::to_string(found == accesses_.end() ? 0 : found->second)});
            }
        }
    }
    events.add_row({"barrier of a whole warp", std::to_string(barriers_whole_)});
    events.add_row({"barrier of some lanes", std::to_string(barriers_apart_)});
    events.add_row({"load in parts", std::to_string(loads_in_parts_)});
    events.add_row({"load before an older one", std::to_string(loads_out_of_order_)});
    return by_shape.str() + "not met: " + (missing.empty() ? "none" : missing) + "\n\n" +
           events.str();
}

}  // namespace heddle::iss
