// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/retire_scope.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw configuration_error("--retire-scope " + text + ": " + why +
                              "; expected smx, launch, block and warp with a number or first-last, "
                              "as smx=0,block=3-5");
}

std::uint64_t number(const std::string& all, std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        refuse(all, "'" + std::string(text) + "' is no number");
    }
    return value;
}

retire_scope::range parse_range(const std::string& all, std::string_view text) {
    const std::size_t dash = text.find('-');
    const std::uint64_t first = number(all, text.substr(0, dash));
    if (dash == std::string_view::npos) return {first, first};
    const std::uint64_t last = number(all, text.substr(dash + 1));
    if (last < first) refuse(all, "'" + std::string(text) + "' is empty");
    return {first, last};
}

}  // namespace

retire_scope parse_retire_scope(const std::string& text) {
    retire_scope scope;
    const std::map<std::string, retire_scope::range*> keys{{"smx", &scope.smx},
                                                           {"launch", &scope.launch},
                                                           {"block", &scope.block},
                                                           {"warp", &scope.warp}};
    std::set<std::string> given;
    std::string_view left = text;
    for (bool more = true; more;) {
        const std::size_t comma = left.find(',');
        const std::string_view part = left.substr(0, comma);
        const std::size_t equals = part.find('=');
        const std::string key(part.substr(0, equals));
        const auto found = keys.find(key);
        if (equals == std::string_view::npos || found == keys.end()) {
            refuse(text, "'" + std::string(part) + "' is no condition" +
                             hint(key, {"smx", "launch", "block", "warp"}));
        }
        if (!given.insert(key).second) refuse(text, key + " is given twice");
        *found->second = parse_range(text, part.substr(equals + 1));
        more = comma != std::string_view::npos;
        if (more) left.remove_prefix(comma + 1);
    }
    return scope;
}

bool in_scope(const std::vector<retire_scope>& scopes, std::uint64_t smx, launch_id launch,
              std::uint64_t block, std::uint64_t warp) noexcept {
    return scopes.empty() ||
           std::any_of(scopes.begin(), scopes.end(), [&](const retire_scope& scope) {
               return scope.smx.contains(smx) && scope.launch.contains(launch.value()) &&
                      scope.block.contains(block) && scope.warp.contains(warp);
           });
}

}  // namespace heddle
