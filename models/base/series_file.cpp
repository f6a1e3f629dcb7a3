// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/series_file.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace heddle {
namespace {

bool ends_in(const std::string& text, std::string_view ending) {
    return text.size() > ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

series_file::series_file(const std::string& file) : file_(file), json_(ends_in(file, ".json")) {}

void series_file::begin(const statistics& columns) {
    begun_ = true;
    statistics interval;
    interval.declare("interval", interval_statistics);
    if (json_) {
        auto all = nlohmann::ordered_json::array();
        for (const statistics* group : {&std::as_const(interval), &columns}) {
            for (const statistic& s : group->entries()) {
                all.push_back({{"name", s.name}, {"unit", s.unit}, {"description", s.description}});
            }
        }
        file_.stream() << "{\n\"columns\": " << all.dump(1) << ",\n\"rows\": [";
        return;
    }
    for (const statistic& s : interval.entries()) line_ += s.name + ',';
    for (const statistic& s : columns.entries()) line_ += s.name + ',';
    line_.back() = '\n';
    file_.stream() << line_;
}

void series_file::add(std::uint64_t start, std::uint64_t end, const statistics& values) {
    if (!begun_) begin(values);
    line_.clear();
    if (json_) line_ = rows_ == 0 ? "\n[" : ",\n[";
    ++rows_;
    line_ += std::to_string(start) + ',' + std::to_string(end);
    for (const statistic& s : values.entries()) {
        const std::string text = number_text(s.value);
        line_ += ',';
        line_ += json_ && text.empty() ? "null" : text;
    }
    line_ += json_ ? "]" : "\n";
    file_.stream() << line_;
}

void series_file::commit() {
    if (!begun_) begin({});
    if (json_) file_.stream() << "\n]}\n";
    file_.commit();
}

}  // namespace heddle
