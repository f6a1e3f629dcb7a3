// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "models/base/output_file.h"
#include "models/base/statistics.h"
#include "models/base/text_table.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

/// Of a run_fact or parameter_value.
template <class... Types>
ordered_json json_of(const std::variant<Types...>& value) {
    return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

ordered_json json_of(const statistic_value& value) {
    struct converter {
        ordered_json operator()(std::monostate) const { return nullptr; }
        ordered_json operator()(std::uint64_t count) const { return count; }
        ordered_json operator()(double real) const {
            return std::isfinite(real) ? ordered_json(real) : ordered_json(nullptr);
        }
        ordered_json operator()(const histogram& h) const {
            return h.samples() == 0 ? ordered_json(nullptr) : ordered_json(h.mean());
        }
    };
    return std::visit(converter{}, value);
}

ordered_json json_of(const histogram& distribution) {
    ordered_json bins = ordered_json::array();
    for (const histogram::bin& bin : distribution.bins()) {
        bins.push_back(ordered_json::array({bin.low, bin.count}));
    }
    return {{"samples", distribution.samples()},
            {"minimum", distribution.minimum()},
            {"maximum", distribution.maximum()},
            {"bins", std::move(bins)}};
}

/// Shortest text that reads back as the same number, or `digits` significant ones; empty if unset.
std::string text_of(const statistic_value& value, int digits) {
    const auto real_text = [&](double real) {
        if (!std::isfinite(real)) return std::string();
        return digits == 0 ? fmt::format("{}", real) : fmt::format("{:.{}g}", real, digits);
    };
    if (const auto* count = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *count);
    if (const auto* real = std::get_if<double>(&value)) return real_text(*real);
    if (const auto* h = std::get_if<histogram>(&value)) {
        return h->samples() == 0 ? std::string() : real_text(h->mean());
    }
    return {};
}

}  // namespace

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::string number_text(const statistic_value& value) {
    return text_of(value, 0);
}

std::string to_json(const statistics& values, const run_description& run) {
    ordered_json json;
    ordered_json& about = json["run"] = ordered_json::object();
    for (const auto& [name, value] : run.facts) about[name] = json_of(value);
    if (run.configuration != nullptr) {
        ordered_json& configuration = about["configuration"] = ordered_json::object();
        for (const parameter& p : run.configuration->parameters()) {
            configuration[p.key] = json_of(p.get());
        }
    }
    // ordered_json looks a key up linearly on []; names are unique, so append instead.
    auto& entries =
        (json["statistics"] = ordered_json::object()).get_ref<ordered_json::object_t&>();
    for (const statistic& s : values.entries()) {
        ordered_json entry = {
            {"value", json_of(s.value)}, {"unit", s.unit}, {"description", s.description}};
        if (const auto* h = std::get_if<histogram>(&s.value)) entry["histogram"] = json_of(*h);
        entries.emplace_back(s.name, std::move(entry));
    }
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string to_csv(const statistics& values) {
    std::string csv = "name,value,unit,description\n";
    const auto row = [&](const std::string& name, const std::string& value, const std::string& unit,
                         const std::string& description) {
        csv += fmt::format("{},{},{},{}\n", csv_field(name), value, csv_field(unit),
                           csv_field(description));
    };
    for (const statistic& s : values.entries()) {
        row(s.name, text_of(s.value, 0), s.unit, s.description);
        const auto* h = std::get_if<histogram>(&s.value);
        if (h == nullptr) continue;
        row(s.name + ".samples", fmt::format("{}", h->samples()), "", "Samples");
        row(s.name + ".minimum", fmt::format("{}", h->minimum()), s.unit, "Smallest sample");
        row(s.name + ".maximum", fmt::format("{}", h->maximum()), s.unit, "Largest sample");
        for (const histogram::bin& bin : h->bins()) {
            row(fmt::format("{}.bin.{}", s.name, bin.low), fmt::format("{}", bin.count), "",
                "Samples in the bin that starts here");
        }
    }
    return csv;
}

std::string to_table(const statistics& values) {
    text_table table(
        {{"statistic"}, {"value", text_table::align::right}, {"unit"}, {"description"}});
    for (const statistic& s : values.entries()) {
        std::string value = text_of(s.value, 6);
        if (!value.empty()) table.add_row({s.name, std::move(value), s.unit, s.description});
    }
    return table.str();
}

void write_statistics(output_file& file, const statistics& values, const run_description& run) {
    const bool csv = file.destination().extension() == ".csv";
    file.stream() << (csv ? to_csv(values) : to_json(values, run));
    file.commit();
}

}  // namespace heddle
