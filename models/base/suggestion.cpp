// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace heddle {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Rows i-2, i-1 and i of the table "distance between the first i of a and the first j of b".
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, previous);
        std::swap(previous, current);
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                current[j] = std::min(current[j], before[j - 2] + 1);
            }
        }
    }
    return current[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    const auto lower = [](std::string_view text) {
        std::string result(text);
        std::transform(result.begin(), result.end(), result.begin(), [](char c) {
            return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        });
        return result;
    };
    const std::string written = lower(word);
    const std::string suffix = "." + std::string(word);
    for (const std::string& candidate : candidates) {
        if (candidate.size() > suffix.size() &&
            candidate.compare(candidate.size() - suffix.size(), suffix.size(), suffix) == 0) {
            return candidate;
        }
    }
    const std::string* best = nullptr;
    std::size_t best_distance = 0;
    for (const std::string& candidate : candidates) {
        const std::size_t longer = std::max(word.size(), candidate.size());
        const std::size_t tolerated = longer / 3;
        // So many letters at least are too many or missing; the exact number takes long.
        if (longer - std::min(word.size(), candidate.size()) > tolerated) continue;
        const std::size_t distance = edit_distance(written, lower(candidate));
        if (distance <= tolerated && (best == nullptr || distance < best_distance)) {
            best = &candidate;
            best_distance = distance;
        }
    }
    return best == nullptr ? std::string() : *best;
}

std::string hint(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string candidate = nearest(word, candidates);
    return candidate.empty() ? std::string() : "; did you mean '" + candidate + "'?";
}

std::string shortened(std::string_view text) {
    constexpr std::size_t longest = 100;
    if (text.size() <= longest) return std::string(text);
    return fmt::format("{}...{} ({} bytes)", text.substr(0, longest / 2),
                       text.substr(text.size() - longest / 4), text.size());
}

std::string joined(const std::vector<std::string>& items) {
    std::string result;
    for (const std::string& item : items) result += (result.empty() ? "" : ", ") + item;
    return result;
}

}  // namespace heddle
