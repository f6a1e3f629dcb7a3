// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A text file, each line of which is a string.
#include "models/inputs/reader.h"
#include "models/inputs/string_kinds.h"
#include "models/inputs/text_scanner.h"

namespace heddle::inputs {
namespace {

struct line_arguments {
    std::string file;

    void declare(parameter_list& p) {
        p.add("file", file, "Path of the file, which may be gzipped");
    }
};

string_list read_lines(const line_arguments& arguments, const std::string& origin,
                       std::uint64_t /*run_seed*/) {
    text_scanner text(arguments.file);
    string_list strings;
    strings.origin = origin;
    while (text.next_line()) strings.add(std::string(text.whole_line()));
    if (strings.size() == 0) text.fail_at_end("a line");
    return strings;
}

}  // namespace

string_kind line_file() {
    return make_input_kind<line_arguments>("lines", "Text file: each line is a string",
                                           {".txt", ".lines", ".dict"}, read_lines);
}

}  // namespace heddle::inputs
