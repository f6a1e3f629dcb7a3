// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/thread_traces.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "models/base/error.h"

namespace heddle::analytic {
namespace {

/// Columns of the file that matter.
enum column : std::size_t {
    launch = 3,
    block = 4,
    warp = 5,
    pc = 7,
    mask = 8,
    text = 9,
    least = 10
};

[[noreturn]] void refuse(std::string_view line) {
    throw configuration_error("not a line of a --retire file: '" + std::string(line.substr(0, 80)) +
                              "'");
}

std::array<std::string_view, least> columns_of(std::string_view line) {
    std::array<std::string_view, least> columns;
    std::string_view rest = line;
    for (std::size_t i = 0; i < least; ++i) {
        const std::size_t tab = rest.find('\t');
        if (tab == std::string_view::npos) refuse(line);  // two columns follow the last of these
        columns[i] = rest.substr(0, tab);
        rest.remove_prefix(tab + 1);
    }
    return columns;
}

std::uint64_t number(std::string_view digits, int base, std::string_view line) {
    if (digits.substr(0, 2) == "0x") digits.remove_prefix(2);
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [last, error] = std::from_chars(digits.data(), end, value, base);
    if (error != std::errc() || last != end) refuse(line);
    return value;
}

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

block_end end_of(std::string_view instruction) {
    if (starts_with(instruction, "jal ra,") || starts_with(instruction, "jalr ra,")) {
        return block_end::call;
    }
    if (starts_with(instruction, "jalr zero,") && instruction.find("(ra)") != instruction.npos) {
        return block_end::ret;
    }
    if (instruction == "exit") return block_end::exit;
    return instruction == "barrier" ? block_end::barrier : block_end::other;
}

}  // namespace

void thread_traces::add(std::string_view line) {
    if (line.empty() || starts_with(line, "cycle\t")) return;
    const auto columns = columns_of(line);
    const auto place = static_cast<std::uint32_t>(number(columns[column::pc], 16, line));
    const block_end end = end_of(columns[column::text]);
    if (end != block_end::other) ends_[place] = end;
    thread_key key{number(columns[column::launch], 10, line),
                   number(columns[column::block], 10, line),
                   number(columns[column::warp], 10, line), 0};
    std::uint64_t lanes = number(columns[column::mask], 16, line);
    for (; lanes != 0; lanes >>= 1, ++key[3]) {
        if ((lanes & 1) != 0) threads_[key].push_back(place);
    }
}

void thread_traces::find_blocks() {
    std::set<std::uint32_t> first;
    for (const auto& [place, end] : ends_) first.insert(place + 4);
    for (const auto& [key, pcs] : threads_) {
        first.insert(pcs.front());
        for (std::size_t i = 1; i < pcs.size(); ++i) {
            if (pcs[i] == pcs[i - 1] + 4) continue;
            first.insert(pcs[i]);
            first.insert(pcs[i - 1] + 4);
        }
    }
    std::map<std::uint32_t, std::uint32_t> number_of;
    for (auto& [key, pcs] : threads_) {
        for (std::size_t i = 0; i < pcs.size();) {
            traced_block block{pcs[i], 1};
            while (++i < pcs.size() && first.count(pcs[i]) == 0) ++block.instructions;
            const auto end = ends_.find(block.behind() - 4);
            if (end != ends_.end()) block.end = end->second;
            if (number_of.emplace(block.first, 0).second) blocks_.push_back(block);
        }
    }
    std::sort(blocks_.begin(), blocks_.end(),
              [](const traced_block& a, const traced_block& b) { return a.first < b.first; });
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) number_of[blocks_[i].first] = i;
    for (auto& [key, pcs] : threads_) {
        const auto inside = [&](std::uint32_t place) { return first.count(place) == 0; };
        pcs.erase(std::remove_if(pcs.begin(), pcs.end(), inside), pcs.end());
        for (std::uint32_t& place : pcs) place = number_of.at(place);
    }
}

std::vector<thread_traces::warp> thread_traces::warps(std::size_t threads, std::size_t size) const {
    std::vector<warp> all;
    const thread_key* last = nullptr;
    std::size_t taken = 0;
    for (const auto& [key, blocks] : threads_) {
        const bool same_launch = last != nullptr && (*last)[0] == key[0];
        if (!same_launch) taken = 0;
        if (taken == threads) continue;
        const bool same_block = same_launch && (*last)[1] == key[1];
        if (!same_block || all.back().size() == size) all.emplace_back();
        all.back().push_back(blocks);
        last = &key;
        ++taken;
    }
    return all;
}

}  // namespace heddle::analytic
