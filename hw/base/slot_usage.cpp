// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/slot_usage.h"

#include <algorithm>
#include <cctype>

namespace heddle {

namespace {

constexpr unsigned word_bits = 64;

/// The name with N in the place of each number that ends a part of it, as of smx_3.
std::string without_numbers(const std::string& name) {
    std::string result;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool number =
            i > 0 && name[i - 1] == '_' && std::isdigit(static_cast<unsigned char>(name[i])) != 0;
        if (!number) {
            result += name[i];
            continue;
        }
        result += 'N';
        while (i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1])) != 0) {
            ++i;
        }
    }
    return result;
}

}  // namespace

/// The ports of one name in all instances of a group.
struct slot_usage::port_group {
    std::string name;
    std::uint64_t asked = 0;
    std::vector<port> ports;

    [[nodiscard]] static unsigned unchanged(const port& of) {
        unsigned bits = 0;
        for (unsigned bit = 0; bit < of.width; ++bit) {
            const std::uint64_t both = of.ones[bit / word_bits] & of.zeros[bit / word_bits];
            bits += (both >> bit % word_bits & 1) == 0 ? 1 : 0;
        }
        return bits;
    }
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const port& of : ports) {
            const unsigned bits = unchanged(of);
            if (bits == 0) continue;
            all += (all.empty() ? "" : ", ") + of.name;
            if (of.width > 1) all += " " + std::to_string(bits) + "/" + std::to_string(of.width);
        }
        return name + ": the RTL was asked " + std::to_string(asked) + " times; " +
               (all.empty() ? "each bit of its ports had both values"
                            : "bits of ports that had one value only: " + all);
    }
};

slot_usage::handle slot_usage::declare_bits(const std::string& name, unsigned width) {
    const std::string mark = ".ports.";
    const std::size_t at = name.rfind(mark);
    const std::size_t words = (width + word_bits - 1) / word_bits;
    ports_.push_back({without_numbers(name.substr(0, at)),
                      at == std::string::npos ? name : name.substr(at + mark.size()), width,
                      next_ == nullptr ? 0 : next_->declare_bits(name, width), 0,
                      std::vector<std::uint64_t>(words), std::vector<std::uint64_t>(words)});
    return ports_.size() - 1;
}

void slot_usage::set_bits(handle which, const std::uint64_t* words) {
    port& of = ports_[which];
    ++of.asked;
    for (std::size_t w = 0; w < of.ones.size(); ++w) {
        of.ones[w] |= words[w];
        of.zeros[w] |= ~words[w];
    }
    if (next_ != nullptr) next_->set_bits(of.next, words);
}

std::vector<slot_usage::port_group> slot_usage::groups() const {
    const auto fewer = [](const port& a, const port& b) { return a.asked < b.asked; };
    std::vector<port_group> all;
    for (const port& each : ports_) {
        auto group = std::find_if(all.begin(), all.end(),
                                  [&](const port_group& g) { return g.name == each.group; });
        if (group == all.end()) group = all.insert(all.end(), {each.group, 0, {}});
        const auto same = std::find_if(group->ports.begin(), group->ports.end(),
                                       [&](const port& p) { return p.name == each.name; });
        if (same == group->ports.end()) {
            group->ports.push_back(each);
        } else {
            for (std::size_t w = 0; w < same->ones.size(); ++w) {
                same->ones[w] |= each.ones[w];
                same->zeros[w] |= each.zeros[w];
            }
            same->asked += each.asked;
        }
    }
    // Inputs are also shown at clock edges, outputs only when the part is asked.
    for (port_group& group : all) {
        group.asked = std::min_element(group.ports.begin(), group.ports.end(), fewer)->asked;
    }
    return all;
}

std::vector<std::string> slot_usage::lines() const {
    std::vector<std::string> all;
    for (const port_group& group : groups()) all.push_back(group.text());
    return all;
}

std::string slot_usage::never_asked() const {
    std::string all;
    for (const port_group& group : groups()) {
        if (group.asked == 0) all += (all.empty() ? "" : ", ") + group.name;
    }
    return all;
}

}  // namespace heddle
