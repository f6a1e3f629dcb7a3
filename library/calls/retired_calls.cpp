// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cstring>

#include "hw/top/retired_text.h"
#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "library/retire/packed_record.h"
#include "library/retire/record_fields.h"
#include "library/retire/retired_line.h"
#include "models/isa/instruction.h"

namespace {

using namespace heddle;
using namespace heddle::library;

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
    check(record.kind, HEDDLE_BARRIER_RELEASE, "kind");
    return record;
}

void copy_text(const char* from, std::size_t with_end, char* text, std::size_t bytes) {
    given(text, "text");
    if (with_end > bytes) {
        throw configuration_error("'bytes' is " + std::to_string(bytes) + "; this record needs " +
                                  std::to_string(with_end));
    }
    std::memcpy(text, from, with_end);
}

}  // namespace

heddle_status heddle_keep_retired(heddle_machine* machine) {
    return call(__func__, machine, [](library::machine& m) { m.keep_retired(/*parts=*/false); });
}

heddle_status heddle_keep_retired_parts(heddle_machine* machine) {
    return call(__func__, machine, [](library::machine& m) { m.keep_retired(/*parts=*/true); });
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
        copy_text(line.data(), line.size(), text, bytes);
    });
}

heddle_status heddle_pack_retired(const heddle_retired* record, uint32_t* words, size_t count) {
    return call(__func__, [&] {
        const auto all = packed(given_struct(record, "record", "heddle_retired"));
        given(words, "words");
        if (all.size() > count) {
            throw configuration_error("'count' is " + std::to_string(count) +
                                      "; this record needs " + std::to_string(all.size()));
        }
        std::copy(all.begin(), all.end(), words);
    });
}

heddle_status heddle_unpack_retired(uint32_t lanes, const uint32_t* words, size_t count,
                                    heddle_retired* record) {
    return call(__func__, [&] {
        heddle_retired& into = given_struct(record, "record", "heddle_retired");
        into = unpacked(lanes, &given(words, "words"), count);
    });
}

heddle_status heddle_retired_line(const heddle_retired* record, char* text, size_t bytes) {
    return call(__func__, [&] {
        const std::string line = line_of(given_struct(record, "record", "heddle_retired"));
        copy_text(line.c_str(), line.size() + 1, text, bytes);
    });
}

heddle_status heddle_parse_retired(const char* line, heddle_retired* record) {
    return call(__func__, [&] {
        heddle_retired& into = given_struct(record, "record", "heddle_retired");
        into = parsed(given_text(line, "line"));
    });
}

const char* heddle_retired_columns(void) {
    return retired_columns().data();  // a literal
}

heddle_status heddle_get_retired_field(size_t index, heddle_field* field) {
    return call(__func__, [&] {
        heddle_field& into = given_struct(field, "field", "heddle_field");
        const record_field& found =
            record_fields[given_index(index, record_fields.size(), "fields")];
        into.name = found.name;
        into.meaning = found.meaning;
        into.offset = static_cast<std::uint32_t>(found.offset);
        into.bytes = static_cast<std::uint32_t>(found.bytes);
        into.count = static_cast<std::uint32_t>(found.count());
        into.is_mask = found.form == record_field::shape::mask ? 1 : 0;
    });
}
