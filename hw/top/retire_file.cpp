// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/retire_file.h"

#include "hw/top/retired_text.h"

namespace heddle {

retire_file::retire_file(const std::string& file) : output_(make_trace_output(file)) {
    const std::string_view columns = retired_columns();
    output_->stream().write(columns.data(), static_cast<std::streamsize>(columns.size()));
}

void retire_file::write(const heddle_retired& retired) {
    line_.clear();
    append_retired_text(line_, retired);
    output_->stream().write(line_.data(), static_cast<std::streamsize>(line_.size()));
}

void retire_file::finish() {
    output_->commit();
}

}  // namespace heddle
