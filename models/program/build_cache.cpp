// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/build_cache.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/program/toolchain.h"
#include "models/program/work_folder.h"

namespace heddle::program {
namespace {

namespace fs = std::filesystem;

/// First line of an entry; another form has another one.
constexpr std::string_view form = "heddle built program 1\n";

/// FNV-1a.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325U) {
    for (const char c : text) {
        seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return seed;
}

/// Parts with their lengths, so that no two lists give one text.
void add(std::string& to, std::string_view part) {
    to += fmt::format("{}:", part.size());
    to += part;
}

std::optional<std::string_view> take(std::string_view& from) {
    const std::size_t colon = from.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon > 10) return std::nullopt;
    std::size_t size = 0;
    for (const char digit : from.substr(0, colon)) {
        if (digit < '0' || digit > '9') return std::nullopt;
        size = size * 10 + static_cast<std::size_t>(digit - '0');
    }
    from.remove_prefix(colon + 1);
    if (size > from.size()) return std::nullopt;
    const std::string_view part = from.substr(0, size);
    from.remove_prefix(size);
    return part;
}

/// A tool or a file of Heddle's own, as far as its name, size and age tell it.
void add_file(std::string& to, const std::string& path) {
    std::error_code error;
    add(to, path);
    add(to, std::to_string(fs::file_size(path, error)));
    const auto age = fs::last_write_time(path, error).time_since_epoch();
    add(to, std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(age).count()));
}

/// Stands in the file that this code is in.
constexpr char the_code = 0;

std::string key_of(const opencl_source& what, const compile_options& how) {
    std::string key;
    const toolchain tools = find_toolchain(how);
    for (const std::string* const file :
         {&tools.compiler, &tools.linker, &tools.pass, &tools.opencl_builtins, &tools.soft_math,
          &tools.print, &tools.libgcc}) {
        add_file(key, *file);
    }
    for (const char* const file : {"/device/heddle.ld", "/device/runtime.c", "/include/heddle.h"}) {
        add_file(key, tools.device + file);
    }
    // This code, too: it writes the kernels' entries. It is in the program or in a library of it.
    Dl_info self{};
    add_file(key, "/proc/self/exe");
    if (::dladdr(&the_code, &self) != 0) add_file(key, self.dli_fname);
    add(key, fmt::format("{} {} {} {:x} {:x}", how.optimization, how.contract_floating_point,
                         how.double_precision, how.place.code, how.place.data));
    for (const auto* const list : {&how.include_directories, &how.definitions}) {
        add(key, std::to_string(list->size()));
        for (const std::string& each : *list) add(key, each);
    }
    std::error_code error;
    add(key, fs::current_path(error).string());  // -I may be relative
    add(key, what.options);
    add(key, what.source.name);
    add(key, what.source.text);
    for (const source_text& header : what.headers) {
        add(key, header.name);
        add(key, header.text);
    }
    return key;
}

}  // namespace

fs::path default_cache_folder() {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    // What is not absolute does not count, by the specification.
    if (cache != nullptr && cache[0] == '/') return fs::path(cache) / "heddle" / "programs";
    const char* const home = std::getenv("HOME");
    if (home == nullptr || home[0] != '/') return {};
    return fs::path(home) / ".cache" / "heddle" / "programs";
}

opencl_program build_cache::build(const opencl_source& what, const compile_options& how) {
    const std::string key = key_of(what, how);
    const fs::path file = folder_ / fmt::format("{:016x}{:016x}", hash_of(key), hash_of(key, 1));
    opencl_program built;
    if (!folder_.empty() && read(file, key, built)) {
        ++hits_;
        return built;
    }
    ++misses_;
    opencl_module compiled = compile_opencl(what, how);
    if (compiled.status != build_status::success) return {compiled.status, compiled.log, {}};
    built = link_opencl({compiled.ir}, what.source.name, how);
    built.log.insert(0, compiled.log);
    if (!folder_.empty() && built.status == build_status::success) {
        write(file, key, built, compiled.dependencies);
        trim();
    }
    return built;
}

/// form, hash of the rest, key, log, image, then pairs of dependency and hash.
bool build_cache::read(const fs::path& file, const std::string& key, opencl_program& into) const {
    const auto entry = read_file<std::string>(file.string());
    std::string_view left = entry;
    if (left.substr(0, form.size()) != form) return false;
    left.remove_prefix(form.size());
    const auto sum = take(left);
    if (!sum || *sum != fmt::format("{:016x}", hash_of(left))) return false;
    const auto key_there = take(left);
    const auto log = take(left);
    const auto image = take(left);
    if (!image || *key_there != key) return false;
    while (!left.empty()) {
        const auto dependency = take(left);
        const auto contents = take(left);
        if (!contents) return false;
        const auto now = read_file<std::string>(std::string(*dependency));
        if (*contents != fmt::format("{:016x}", hash_of(now))) return false;
    }
    into.status = build_status::success;
    into.log = *log;
    into.image.assign(image->begin(), image->end());
    std::error_code ignored;
    fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
    return true;
}

void build_cache::write(const fs::path& file, const std::string& key, const opencl_program& built,
                        const std::vector<std::string>& dependencies) const {
    std::string rest;
    add(rest, key);
    add(rest, built.log);
    add(rest, {reinterpret_cast<const char*>(built.image.data()), built.image.size()});
    for (const std::string& dependency : dependencies) {
        add(rest, dependency);
        add(rest, fmt::format("{:016x}", hash_of(read_file<std::string>(dependency))));
    }
    std::string entry(form);
    add(entry, fmt::format("{:016x}", hash_of(rest)));
    entry += rest;
    std::error_code error;
    fs::create_directories(folder_, error);
    // A name of this process's own, in the same file system.
    std::string made = (folder_ / "new-XXXXXX").string();
    const int descriptor = ::mkstemp(made.data());
    if (descriptor < 0) return;
    std::size_t at = 0;
    while (at < entry.size()) {
        const ::ssize_t count = ::write(descriptor, entry.data() + at, entry.size() - at);
        if (count <= 0) break;
        at += static_cast<std::size_t>(count);
    }
    const bool complete = ::close(descriptor) == 0 && at == entry.size();
    if (complete) fs::rename(made, file, error);
    if (!complete || error) fs::remove(made, error);
}

/// Also what a process left behind that ended before its rename.
void build_cache::trim() const {
    struct entry {
        fs::file_time_type used;
        std::uint64_t bytes;
        fs::path file;
    };
    std::vector<entry> all;
    std::uint64_t bytes = 0;
    std::error_code error;
    for (const auto& each : fs::directory_iterator(folder_, error)) {
        // Another process may remove it meanwhile.
        std::error_code gone;
        const entry found{each.last_write_time(gone), each.file_size(gone), each.path()};
        if (gone) continue;
        bytes += found.bytes;
        all.push_back(found);
    }
    std::sort(all.begin(), all.end(), [](const entry& a, const entry& b) {
        return std::tie(a.used, a.file) < std::tie(b.used, b.file);
    });
    for (const entry& oldest : all) {
        if (bytes <= most_bytes_) break;
        fs::remove(oldest.file, error);
        bytes -= oldest.bytes;
    }
}

}  // namespace heddle::program
