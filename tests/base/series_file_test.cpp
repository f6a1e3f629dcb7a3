// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/series_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

constexpr statistic_declaration sample[] = {
    {"cycles", "cycle", "Core cycles"},
    {"ipc", "", "A \"ratio\""},
};

/// Two rows; in the second the ratio has no value.
void write_sample(series_file& file) {
    statistics values;
    values.declare("gpu", sample);
    values.set("gpu.cycles", 10U);
    values.set("gpu.ipc", 0.1);
    file.add(0, 10, values);
    values.unset();
    values.set("gpu.cycles", 3U);
    file.add(10, 13, values);
    file.commit();
}

TEST(series_file, csv_has_a_line_an_interval) {
    const temporary_directory files;
    series_file file(files / "a.csv");
    write_sample(file);
    EXPECT_EQ(contents_of(files / "a.csv"),
              "interval.start,interval.end,gpu.cycles,gpu.ipc\n"
              "0,10,10,0.1\n"
              "10,13,3,\n");
}

TEST(series_file, json_declares_its_columns) {
    const temporary_directory files;
    series_file file(files / "a.json");
    write_sample(file);
    const auto all = nlohmann::json::parse(contents_of(files / "a.json"));
    ASSERT_EQ(all.at("columns").size(), 4U);
    EXPECT_EQ(all.at("columns").at(0).at("name"), "interval.start");
    EXPECT_EQ(all.at("columns").at(3).at("description"), "A \"ratio\"");
    EXPECT_EQ(all.at("rows").at(0).dump(), "[0,10,10,0.1]");
    EXPECT_EQ(all.at("rows").at(1).dump(), "[10,13,3,null]");
}

TEST(series_file, is_well_formed_without_rows) {
    const temporary_directory files;
    series_file json(files / "a.json");
    json.commit();
    EXPECT_TRUE(nlohmann::json::parse(contents_of(files / "a.json")).at("rows").empty());
    series_file csv(files / "a.csv");
    csv.commit();
    EXPECT_EQ(contents_of(files / "a.csv"), "interval.start,interval.end\n");
}

TEST(series_file, appears_whole_or_not_at_all) {
    const temporary_directory files;
    {
        series_file file(files / "a.csv");
        statistics values;
        values.declare("gpu", sample);
        file.add(0, 1, values);
    }
    EXPECT_EQ(files.file_count(), 0U);
    EXPECT_THAT(message_of<configuration_error>([&] { series_file(files / "none/a.csv"); }),
                testing::HasSubstr("none/a.csv"));
}

}  // namespace
}  // namespace heddle
