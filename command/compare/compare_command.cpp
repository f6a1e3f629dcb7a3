// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/compare/compare_command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/base/error.h"
#include "models/base/text_table.h"

namespace heddle::command {
namespace {

using nlohmann::ordered_json;

struct difference {
    std::string name;
    ordered_json a, b;  ///< null: missing or not measured
    std::string unit;   ///< of a statistic
};

/// B / A; null where that has no meaning.
ordered_json ratio(const difference& d) {
    if (!d.a.is_number() || !d.b.is_number() || d.a.get<double>() == 0) return nullptr;
    return d.b.get<double>() / d.a.get<double>();
}

bool of_host(const std::string& name) {
    return name.rfind("host.", 0) == 0;
}

[[noreturn]] void refuse(const std::string& file, const std::string& problem) {
    throw configuration_error(fmt::format("compare: '{}': {}", file, problem));
}

/// Every number of a statistics file is in "statistics", each as {"value": ..., "unit": ...}.
void check_statistics(const std::string& file, const ordered_json& all) {
    constexpr const char* expected =
        "not a statistics file; expected what 'heddle run --stats FILE.json' writes";
    if (!all.is_object() || !all.contains("run") || !all["run"].is_object() ||
        !all.contains("statistics") || !all["statistics"].is_object() ||
        (all["run"].contains("configuration") && !all["run"]["configuration"].is_object())) {
        refuse(file, expected);
    }
    for (const auto& [name, one] : all["statistics"].items()) {
        if (one.is_object() && one.contains("value") &&
            (one["value"].is_number() || one["value"].is_null()) &&
            (!one.contains("unit") || one["unit"].is_string())) {
            continue;
        }
        refuse(file, fmt::format("statistic '{}' has no \"value\" that is a number or null, or no "
                                 "\"unit\" that is a text",
                                 name));
    }
}

ordered_json read(const std::string& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in || in.peek() == std::ifstream::traits_type::eof()) {
        refuse(file, !in.is_open() || errno != 0 ? std::strerror(errno) : "the file is empty");
    }
    ordered_json all;
    try {
        all = ordered_json::parse(in);
    } catch (const ordered_json::parse_error& error) {
        refuse(file, fmt::format("no JSON at byte {}; expected what 'heddle run --stats FILE.json' "
                                 "writes",
                                 error.byte));
    }
    check_statistics(file, all);
    return all;
}

/// The keys of both, in the order of A; those that only B has follow.
std::vector<std::string> keys(const ordered_json& a, const ordered_json& b) {
    std::vector<std::string> all;
    for (const auto& [key, value] : a.items()) all.push_back(key);
    for (const auto& [key, value] : b.items()) {
        if (!a.contains(key)) all.push_back(key);
    }
    return all;
}

std::vector<difference> compare_facts(const ordered_json& a, const ordered_json& b) {
    std::vector<difference> all;
    for (const std::string& key : keys(a, b)) {
        if (key == "configuration") continue;
        difference d{key, a.value(key, ordered_json()), b.value(key, ordered_json()), {}};
        if (d.a != d.b) all.push_back(std::move(d));
    }
    return all;
}

std::vector<difference> compare_statistics(const ordered_json& a, const ordered_json& b) {
    std::vector<difference> all;
    for (const std::string& name : keys(a, b)) {
        const ordered_json one = a.value(name, ordered_json::object());
        const ordered_json two = b.value(name, ordered_json::object());
        difference d{name, one.value("value", ordered_json()), two.value("value", ordered_json()),
                     (one.empty() ? two : one).value("unit", std::string())};
        // Distributions can differ although their means are equal.
        const bool equal = d.a == d.b && one.value("histogram", ordered_json()) ==
                                             two.value("histogram", ordered_json());
        if (!equal) all.push_back(std::move(d));
    }
    return all;
}

std::string text(const ordered_json& value) {
    if (value.is_null()) return "-";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.dump();
}

void add_table(std::string& out, const char* title, const std::vector<difference>& differences) {
    if (differences.empty()) return;
    text_table table({{title, {}}, {"A", {}}, {"B", {}}});
    for (const difference& d : differences) table.add_row({d.name, text(d.a), text(d.b)});
    out += table.str() + "\n";
}

void add_statistics(std::string& out, const char* title, const std::vector<difference>& differences,
                    bool host) {
    constexpr auto right = text_table::align::right;
    text_table table({{title, {}}, {"A", right}, {"B", right}, {"B / A", right}, {"", {}}});
    bool any = false;
    for (const difference& d : differences) {
        if (of_host(d.name) != host) continue;
        const ordered_json quotient = ratio(d);
        const std::string shown =
            quotient.is_null() ? "-" : fmt::format("{:.4g}", quotient.get<double>());
        table.add_row({d.name, text(d.a), text(d.b), shown, d.unit});
        any = true;
    }
    if (any) out += table.str() + "\n";
}

ordered_json to_json(const std::vector<difference>& differences, bool statistics) {
    ordered_json all = ordered_json::object();
    for (const difference& d : differences) {
        ordered_json& one = all[d.name];
        one = {{"a", d.a}, {"b", d.b}};
        if (!statistics) continue;
        one["ratio"] = ratio(d);
        one["unit"] = d.unit;
    }
    return all;
}

}  // namespace

std::string compare(const std::string& a, const std::string& b, bool as_json) {
    const ordered_json one = read(a);
    const ordered_json two = read(b);
    const auto facts = compare_facts(one["run"], two["run"]);
    const ordered_json none = ordered_json::object();
    const auto configuration = compare_facts(one["run"].value("configuration", none),
                                             two["run"].value("configuration", none));
    const auto statistics = compare_statistics(one["statistics"], two["statistics"]);
    if (as_json) {
        return ordered_json({{"run", to_json(facts, false)},
                             {"configuration", to_json(configuration, false)},
                             {"statistics", to_json(statistics, true)}})
                   .dump(2) +
               "\n";
    }
    std::string out = fmt::format("A: {}\nB: {}\n\n", a, b);
    add_table(out, "run", facts);
    add_table(out, "configuration", configuration);
    add_statistics(out, "statistic", statistics, false);
    add_statistics(out, "host", statistics, true);
    std::size_t changed = 0;
    for (const difference& d : statistics) changed += of_host(d.name) ? 0 : 1;
    std::size_t compared = 0;
    for (const std::string& name : keys(one["statistics"], two["statistics"])) {
        compared += of_host(name) ? 0 : 1;
    }
    return out + fmt::format("{} of {} statistics differ{}\n", changed, compared,
                             changed == 0 ? "" : " (those of the host not counted)");
}

}  // namespace heddle::command
