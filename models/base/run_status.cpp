// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/run_status.h"

#include <utility>

namespace heddle {

void run_status::report(error_kind kind, std::string message) {
    if (kind == error_kind::none) kind = error_kind::wrong_result;
    if (kind_ == error_kind::none) kind_ = kind;
    ++report_count_;
    if (messages_.size() < message_limit) messages_.push_back(std::move(message));
}

std::string run_status::text() const {
    std::string result;
    for (const std::string& message : messages_) result += message + '\n';
    if (report_count_ > messages_.size()) {
        result += "... and " + std::to_string(report_count_ - messages_.size()) + " more\n";
    }
    return result;
}

}  // namespace heddle
