// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "models/base/statistics.h"
#include "models/base/suggestion.h"

namespace {

using namespace heddle;
using namespace heddle::library;

struct value_reader {
    heddle_statistic& into;

    void operator()(std::monostate) const { into.measure = HEDDLE_UNMEASURED; }
    void operator()(std::uint64_t count) const {
        into.measure = HEDDLE_COUNT;
        into.count = count;
        into.value = static_cast<double>(count);
    }
    void operator()(double value) const {
        into.measure = HEDDLE_REAL;
        into.value = value;
    }
    void operator()(const histogram& values) const {
        into.measure = HEDDLE_DISTRIBUTION;
        into.count = values.samples();
        into.value = values.mean();
        into.minimum = values.minimum();
        into.maximum = values.maximum();
    }
};

void show(const statistic& found, heddle_statistic& into) {
    into = heddle_statistic{};
    into.size = sizeof into;
    into.name = found.name.c_str();
    into.unit = found.unit.c_str();
    into.description = found.description.c_str();
    std::visit(value_reader{into}, found.value);
}

std::string unknown(const std::string& wanted, const statistics& all) {
    std::vector<std::string> names;
    names.reserve(all.entries().size());
    for (const statistic& each : all.entries()) names.push_back(each.name);
    return "there is no statistic '" + shortened(wanted) + "' of this run" + hint(wanted, names);
}

}  // namespace

heddle_status heddle_statistic_count(heddle_machine* machine, size_t* count) {
    return call(__func__, machine, [&](library::machine& m) {
        given(count, "count") = m.measured().values.entries().size();
    });
}

heddle_status heddle_get_statistic(heddle_machine* machine, size_t index,
                                   heddle_statistic* statistic) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_statistic& into = given_struct(statistic, "statistic", "heddle_statistic");
        const auto& all = m.measured().values.entries();
        show(all[given_index(index, all.size(), "statistics")], into);
    });
}

heddle_status heddle_find_statistic(heddle_machine* machine, const char* name,
                                    heddle_statistic* statistic) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_statistic& into = given_struct(statistic, "statistic", "heddle_statistic");
        const std::string wanted = given_text(name, "name");
        const statistics& all = m.measured().values;
        const heddle::statistic* const found = all.find(wanted);
        if (found == nullptr) throw configuration_error(unknown(wanted, all));
        show(*found, into);
    });
}

heddle_status heddle_write_statistics(heddle_machine* machine, const char* file) {
    return call(__func__, machine,
                [&](library::machine& m) { m.write_statistics(given_text(file, "file")); });
}
