// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <sstream>

#include "library/retire/retire_forms.h"
#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"

namespace heddle::library {
namespace {

TEST(retire_page, has_the_fields_and_kinds_of_the_definition) {
    const std::string page = contents_of(source_path("docs/retire.md"));
    std::istringstream tables(retire_tables());
    std::string line;
    unsigned rows = 0;
    for (; std::getline(tables, line); ++rows) {
        EXPECT_THAT(page, testing::HasSubstr(line + "\n"))
            << "docs/retire.md is out of date: run heddle_retire_forms tables";
    }
    EXPECT_GT(rows, 35U);
}

}  // namespace
}  // namespace heddle::library
