// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/configuration_report.h"

#include <nlohmann/json.hpp>

#include "models/base/text_table.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const parameter_value& value) {
    return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

/// Invalid UTF-8 (in a text parameter, say) is replaced instead of thrown.
std::string printed(const ordered_json& json) {
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

/// Text for a cell of a Markdown table.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
    return result;
}

const char* name_of(better_value better) {
    switch (better) {
        case better_value::smaller:
            return "smaller";
        case better_value::larger:
            return "larger";
        case better_value::one:
            return "one";
        case better_value::unknown:
            break;
    }
    return "";
}

/// What helps, for people: "smaller, to 1"; empty if the declaration does not say.
std::string better_text(const parameter& p) {
    if (p.better == better_value::unknown) return {};
    if (p.better == better_value::one) return to_text(*p.ideal);
    return name_of(p.better) + (p.ideal ? ", to " + to_text(*p.ideal) : std::string());
}

}  // namespace

std::string describe_text(const parameter_list& parameters) {
    text_table table(
        {{"key"}, {"value", text_table::align::right}, {"unit"}, {"source"}, {"description"}});
    for (const parameter& p : parameters.parameters()) {
        table.add_row({p.key, to_text(p.get()), p.unit, p.source, p.description});
    }
    return table.str();
}

std::string describe_json(const parameter_list& parameters) {
    ordered_json json = ordered_json::object();
    for (const parameter& p : parameters.parameters()) {
        json[p.key] = {{"value", json_of(p.get())},
                       {"unit", p.unit},
                       {"default", json_of(p.default_value)},
                       {"source", p.source},
                       {"description", p.description}};
    }
    return printed(json);
}

std::string parameters_text(const parameter_list& parameters) {
    text_table table(
        {{"key"}, {"default", text_table::align::right}, {"unit"}, {"legal"}, {"description"}});
    for (const parameter& p : parameters.parameters()) {
        table.add_row({p.key, to_text(p.default_value), p.unit, to_text(p.limits), p.description});
    }
    return table.str();
}

std::string parameters_json(const parameter_list& parameters) {
    ordered_json json = ordered_json::array();
    for (const parameter& p : parameters.parameters()) {
        json.push_back({{"key", p.key},
                        {"type", type_name(p.limits)},
                        {"default", json_of(p.default_value)},
                        {"unit", p.unit},
                        {"legal", to_text(p.limits)},
                        {"description", p.description}});
        if (p.better == better_value::unknown) continue;
        json.back()["better"] = name_of(p.better);
        if (p.ideal) json.back()["ideal"] = json_of(*p.ideal);
        json.back()["block"] = p.block;
    }
    return printed(json);
}

std::string parameters_markdown(const parameter_list& parameters) {
    std::string page =
        "# Configuration reference\n\n"
        "Generated from the declarations in the code; a test keeps it current.\n"
        "A value comes from its default, a TOML file (`--config`), or `--set key=value`.\n"
        "Column \"better\" has the values that make programs faster, all else being equal, up to "
        "the ideal one, which [`heddle why`](why.md) tries.\n\n"
        "| key | type | default | unit | legal | better | description |\n"
        "|---|---|---|---|---|---|---|\n";
    for (const parameter& p : parameters.parameters()) {
        page += "| `" + p.key + "` | " + type_name(p.limits) + " | " +
                cell(to_text(p.default_value)) + " | " + p.unit + " | " + cell(to_text(p.limits)) +
                " | " + better_text(p) + " | " + cell(p.description) + " |\n";
    }
    if (!parameters.rules().empty())
        page += "\n## Rules\n\nA configuration must keep these rules:\n\n";
    for (const parameter_rule& rule : parameters.rules()) page += "- " + rule.text + "\n";
    return page;
}

}  // namespace heddle
