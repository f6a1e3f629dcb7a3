// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fmt/format.h>

#include <algorithm>
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

/// Appends a JSON string. Nearly all texts need no escapes: a file has thousands of them.
void append(std::string& json, const std::string& text) {
    const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::all_of(text.begin(), text.end(), plain)) {
        json.append(1, '"').append(text).append(1, '"');
    } else {
        json += ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    }
}

void append(std::string& json, const statistic_value& value) {
    const auto append_real = [&](double real) {
        json += std::isfinite(real) ? ordered_json(real).dump() : "null";
    };
    if (const auto* count = std::get_if<std::uint64_t>(&value)) {
        json += fmt::format_int(*count).c_str();
    } else if (const auto* real = std::get_if<double>(&value)) {
        append_real(*real);
    } else if (const auto* h = std::get_if<histogram>(&value); h != nullptr && h->samples() != 0) {
        append_real(h->mean());
    } else {
        json += "null";
    }
}

void append(std::string& json, const histogram& distribution) {
    json += fmt::format(R"({{"samples": {}, "minimum": {}, "maximum": {}, "bins": [)",
                        distribution.samples(), distribution.minimum(), distribution.maximum());
    const char* separator = "";
    for (const histogram::bin& bin : distribution.bins()) {
        json += fmt::format("{}[{}, {}]", separator, bin.low, bin.count);
        separator = ", ";
    }
    json += "]}";
}

void append(std::string& json, const statistic& s) {
    append(json, s.name);
    json += R"(: {"value": )";
    append(json, s.value);
    json += R"(, "unit": )";
    append(json, s.unit);
    json += R"(, "description": )";
    append(json, s.description);
    if (const auto* h = std::get_if<histogram>(&s.value)) {
        json += R"(, "histogram": )";
        append(json, *h);
    }
    json += '}';
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
    ordered_json head;
    ordered_json& about = head["run"] = ordered_json::object();
    for (const auto& [name, value] : run.facts) about[name] = json_of(value);
    if (run.configuration != nullptr) {
        ordered_json& configuration = about["configuration"] = ordered_json::object();
        for (const parameter& p : run.configuration->parameters()) {
            configuration[p.key] = json_of(p.get());
        }
    }
    std::string json = head.dump(2, ' ', false, ordered_json::error_handler_t::replace);
    json.resize(json.rfind("\n}"));
    json += ",\n  \"statistics\": {";
    const char* separator = "\n    ";
    for (const statistic& s : values.entries()) {
        json += separator;
        append(json, s);
        separator = ",\n    ";
    }
    json += values.entries().empty() ? "}\n}\n" : "\n  }\n}\n";
    return json;
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
