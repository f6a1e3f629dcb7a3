// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/studies/area_tables.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "command/listing.h"

namespace heddle::command {
namespace {

/// "-" where the paper prints nothing for this machine.
template <class T>
std::string printed(const char* format, const std::optional<T>& value) {
    return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

listing storage_rows(const std::vector<analytic::storage>& all) {
    listing table{{"structure", "bits of an entry", "entries", "bits", "bits printed", "mm2"}};
    bool has_printed = true;
    std::uint64_t printed_bits = 0;
    for (const analytic::storage& one : all) {
        table.rows.push_back({one.name, fmt::format("{}: {}", one.entry_bits, one.content),
                              std::to_string(one.entries), std::to_string(one.bits()),
                              printed("{}", one.printed_bits),
                              printed("{:.4f}", one.printed_area)});
        has_printed = has_printed && one.printed_bits;
        printed_bits += one.printed_bits.value_or(0);
    }
    table.rows.push_back({"all", "", "", std::to_string(analytic::total_bits(all)),
                          has_printed ? std::to_string(printed_bits) : "-", "-"});
    return table;
}

listing cacti_rows() {
    listing table{
        {"structure", "bytes", "bytes printed", "bits out", "bits out printed", "ports printed"}};
    for (const analytic::cacti_memory& one : analytic::cacti_memories()) {
        table.rows.push_back({one.name, std::to_string(one.bytes),
                              std::to_string(one.printed_bytes), std::to_string(one.output_bits),
                              std::to_string(one.printed_output_bits),
                              fmt::format("{} read, {} write", one.read_ports, one.write_ports)});
    }
    return table;
}

/// A sum of printed areas, and what the thesis prints for it.
struct area_sum {
    std::string name;
    const char* unit;
    int digits;
    double computed, printed;
};

std::vector<area_sum> area_sums() {
    const analytic::formation_area area = analytic::thesis_formation_area();
    return {{"scheduler of a core", "mm2", 3, area.scheduler, 1.635},
            {"decoders of the register file", "mm2", 3, area.register_decoders, 0.722},
            {"core", "mm2", 3, area.core(), 2.357},
            {fmt::format("{} cores", area.cores), "mm2", 2, area.chip(), 37.72},
            {"of 470 mm2", "%", 2, 100 * area.share(), 8.02}};
}

listing area_rows() {
    listing table{{"area", "unit", "computed", "printed"}};
    for (const area_sum& one : area_sums()) {
        table.rows.push_back({one.name, one.unit, fmt::format("{:.{}f}", one.computed, one.digits),
                              fmt::format("{:.{}f}", one.printed, one.digits)});
    }
    return table;
}

listing launch_rows(const analytic::launch_geometry& geometry) {
    const bool of_paper = geometry == analytic::launch_geometry{};
    const std::vector<analytic::storage> all = analytic::launch_storage(geometry);
    listing table{{"structure", "bits of an entry", "entries", "bytes", "bytes printed"}};
    for (const analytic::storage& one : all) {
        if (&one == &all.back()) {
            table.rows.push_back(
                {"new fields", "", "", std::to_string(analytic::launch_field_bytes(geometry)),
                 of_paper ? std::to_string(analytic::printed_launch_field_bytes) : "-"});
        }
        table.rows.push_back({one.name, fmt::format("{}: {}", one.entry_bits, one.content),
                              std::to_string(one.entries), std::to_string(one.bytes()),
                              one.printed_bits ? std::to_string(*one.printed_bits / 8) : "-"});
    }
    for (const analytic::storage& one : analytic::further_chain_storage(geometry)) {
        table.rows.push_back({one.name, fmt::format("{}: {}", one.entry_bits, one.content),
                              std::to_string(one.entries), std::to_string(one.bytes()), "-"});
    }
    return table;
}

listing transaction_rows(const analytic::transaction_geometry& geometry) {
    listing table{{"structure", "bits of an entry", "entries", "bits", "bits printed"}};
    for (const analytic::storage& one : analytic::transaction_storage(geometry)) {
        table.rows.push_back({one.name, fmt::format("{}: {}", one.entry_bits, one.content),
                              std::to_string(one.entries), std::to_string(one.bits()),
                              printed("{}", one.printed_bits)});
    }
    return table;
}

listing transaction_quantity_rows(const analytic::transaction_geometry& geometry) {
    listing table{{"quantity", "unit", "computed", "printed"}};
    for (const analytic::transaction_quantity& one : analytic::transaction_quantities(geometry)) {
        table.rows.push_back(
            {one.name, one.unit, std::to_string(one.computed), printed("{}", one.printed)});
    }
    return table;
}

/// Everything as one list: bits, bytes, mm2 and %.
listing quantities(const analytic::formation_geometry& formation,
                   const analytic::launch_geometry& launch,
                   const analytic::transaction_geometry& transactions) {
    listing list{{"quantity", "unit", "computed", "printed"}};
    const auto add = [&](const std::string& name, const char* unit, std::uint64_t computed,
                         const std::optional<std::uint64_t>& paper) {
        list.rows.push_back({name, unit, std::to_string(computed), printed("{}", paper)});
    };
    const std::vector<analytic::storage> scheduler = analytic::formation_storage(formation);
    std::optional<std::uint64_t> all_printed;
    for (const analytic::storage& one : scheduler) {
        add(one.name, "bit", one.bits(), one.printed_bits);
        if (one.printed_bits) all_printed = all_printed.value_or(0) + *one.printed_bits;
    }
    add("dynamic warp formation", "bit", analytic::total_bits(scheduler), all_printed);
    for (const auto& row : area_rows().rows) list.rows.push_back(row);
    for (const auto& row : launch_rows(launch).rows) {
        list.rows.push_back({row[0], "byte", row[3], row[4]});
    }
    for (const auto& row : transaction_rows(transactions).rows) {
        list.rows.push_back({row[0], "bit", row[3], row[4]});
    }
    for (const auto& row : transaction_quantity_rows(transactions).rows) list.rows.push_back(row);
    return list;
}

}  // namespace

std::string area_tables(const analytic::formation_geometry& formation,
                        const analytic::launch_geometry& launch,
                        const analytic::transaction_geometry& transactions, bool as_json) {
    if (as_json) return quantities(formation, launch, transactions).show(true);
    const std::pair<const char*, listing> parts[] = {
        {"Dynamic warp formation, an SMX (Fung 2008, table 7.1)",
         storage_rows(analytic::formation_storage(formation))},
        {"The same as memories of CACTI, the thesis' machine (table 7.2)", cacti_rows()},
        {"Area of the thesis' machine at 90 nm (chapter 7)", area_rows()},
        {"Dynamic thread block launch (Wang et al. 2015, section 4.3)", launch_rows(launch)},
        {"Transactional memory, an SMX with one block (Villegas et al., table 3)",
         transaction_rows(transactions)},
        {"What it takes of the SMX", transaction_quantity_rows(transactions)}};
    std::string text;
    for (const auto& [title, table] : parts) {
        if (!text.empty()) text += "\n";
        text += std::string(title) + "\n\n" + table.text();
    }
    return text;
}

}  // namespace heddle::command
