// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <array>
#include <cstring>

#include "hw/top/retired_text.h"
#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "models/isa/instruction.h"

namespace {

using namespace heddle;
using namespace heddle::library;

struct field_row {
    const char* name;
    const char* meaning;
    std::size_t offset, bytes, count;
};

constexpr std::array fields{
#define HEDDLE_ROW(type, name, meaning) \
    field_row{#name, meaning, offsetof(heddle_retired, name), sizeof(type), 1},
#define HEDDLE_ROW_OF_LANES(type, name, meaning) \
    field_row{#name, meaning, offsetof(heddle_retired, name), sizeof(type), HEDDLE_LANES},
    HEDDLE_RETIRED_FIELDS(HEDDLE_ROW, HEDDLE_ROW_OF_LANES)
#undef HEDDLE_ROW
#undef HEDDLE_ROW_OF_LANES
};

/// A record may be anybody's.
const heddle_retired& printable(const heddle_retired& record) {
    const auto check = [](std::uint32_t found, std::uint32_t most, const char* what) {
        if (found <= most) return;
        throw configuration_error(std::string("'record'.") + what + " is " + std::to_string(found) +
                                  "; legal: 0 to " + std::to_string(most));
    };
    check(record.rd, isa::register_count - 1, "rd");
    check(record.warp_size, HEDDLE_LANES, "warp_size");
    check(record.access, HEDDLE_ATOMIC, "access");
    return record;
}

}  // namespace

heddle_status heddle_keep_retired(heddle_machine* machine) {
    return call(__func__, machine, [](library::machine& m) { m.keep_retired(); });
}

heddle_status heddle_next_retired(heddle_machine* machine, heddle_retired* records, size_t most,
                                  size_t* count) {
    return call(__func__, machine, [&](library::machine& m) {
        given(count, "count") = 0;
        if (most == 0) throw configuration_error("'most' is 0; legal: at least 1");
        *count = m.next_retired(&given_struct(records, "records", "heddle_retired"), most);
    });
}

heddle_status heddle_retired_text(const heddle_retired* record, char* text, size_t bytes) {
    return call(__func__, [&] {
        fmt::memory_buffer line;
        append_retired_text(line, printable(given_struct(record, "record", "heddle_retired")));
        line.push_back('\0');
        given(text, "text");
        if (line.size() > bytes) {
            throw configuration_error("'bytes' is " + std::to_string(bytes) +
                                      "; this record needs " + std::to_string(line.size()));
        }
        std::memcpy(text, line.data(), line.size());
    });
}

const char* heddle_retired_columns(void) {
    return retired_columns().data();  // a literal
}

heddle_status heddle_get_retired_field(size_t index, heddle_field* field) {
    return call(__func__, [&] {
        heddle_field& into = given_struct(field, "field", "heddle_field");
        const field_row& found = fields[given_index(index, fields.size(), "fields")];
        into.name = found.name;
        into.meaning = found.meaning;
        into.offset = static_cast<std::uint32_t>(found.offset);
        into.bytes = static_cast<std::uint32_t>(found.bytes);
        into.count = static_cast<std::uint32_t>(found.count);
    });
}
