// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <system_error>

#include "models/base/configuration_file.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using path_list = std::vector<fs::path>;

bool names_a_file(std::string_view text) {
    constexpr std::string_view ending = ".toml";
    return text.find('/') != std::string_view::npos ||
           (text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending);
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

/// Names of configurations, sorted, with their files.
using configuration_files = std::map<std::string, fs::path>;

void add_configuration(configuration_files& to, const fs::path& file) {
    if (file.extension() == ".toml" && is_file(file)) to.emplace(file.stem().string(), file);
}

/// Those in `directories` and the folders in them, as the machines of papers. Folders have no
/// order: no two files have one name.
configuration_files all_configurations(const path_list& directories) {
    configuration_files result;
    for (const fs::path& directory : directories) {
        std::error_code missing;
        for (const auto& entry : fs::recursive_directory_iterator(directory, missing)) {
            add_configuration(result, entry.path());
        }
    }
    return result;
}

/// Those beside a file that names another one: whatever else lies below that folder is not looked
/// at.
configuration_files configurations_beside(const fs::path& base) {
    configuration_files result;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(base, missing)) {
        add_configuration(result, entry.path());
    }
    return result;
}

/// find_configuration() for a text in the file of `base`, or on the command line if that is empty.
fs::path find(const std::string& text, const fs::path& base, const path_list& directories,
              const std::string& where) {
    if (names_a_file(text)) {
        fs::path file = (base / text).lexically_normal();
        if (is_file(file)) return file;
        std::error_code ignored;
        throw configuration_error(
            fs::is_directory(file, ignored)
                ? fmt::format("{}the configuration file '{}' is a directory", where, file.string())
                : fmt::format("{}there is no configuration file '{}'", where, file.string()));
    }
    configuration_files known = base.empty() ? configuration_files{} : configurations_beside(base);
    known.merge(all_configurations(directories));
    const auto found = known.find(text);
    if (found != known.end()) return found->second;
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const auto& entry : known) names.push_back(entry.first);
    const std::string suggestion =
        is_file(base / text) ? fmt::format("; write ./{} for the file of that name;", text)
                             : hint(text, names);
    throw configuration_error(
        fmt::format("{}there is no configuration named '{}'{} known: {}", where, shortened(text),
                    suggestion.empty() ? ";" : suggestion, names.empty() ? "none" : joined(names)));
}

class file_loader {
public:
    file_loader(parameter_list& parameters, const path_list& directories)
        : parameters_(parameters), directories_(directories) {}

    /// Assigns what the ancestors of `path` say, then what the file itself says.
    void load(const fs::path& path) {
        const configuration_file file = read_configuration_file(path);
        descent_.push_back(path);
        files_.push_back(path);
        assign(file, path.has_parent_path() ? path.parent_path() : fs::path("."));
        descent_.pop_back();
    }
    /// The same of a text, which lies in no folder.
    void load_text(const std::string& text) {
        assign(read_configuration_text(text, "configuration text"), {});
    }

    [[nodiscard]] const path_list& files() const noexcept { return files_; }

private:
    /// A file that lies in folder `base`.
    void assign(const configuration_file& file, const fs::path& base) {
        if (file.inherits) {
            const fs::path parent =
                find(*file.inherits, base, directories_, file.inherits_position + ": ");
            check_cycle(parent, file.inherits_position);
            load(parent);
        }
        for (const configuration_file::entry& entry : file.entries) assign(entry);
    }

    void check_cycle(const fs::path& parent, const std::string& position) const {
        const auto same = [&](const fs::path& other) { return fs::equivalent(parent, other); };
        const auto first = std::find_if(descent_.begin(), descent_.end(), same);
        if (first == descent_.end()) return;
        std::string circle;
        for (auto at = first; at != descent_.end(); ++at) circle += at->string() + " -> ";
        throw configuration_error(
            fmt::format("{}: circular inheritance: {}{}", position, circle, parent.string()));
    }

    void assign(const configuration_file::entry& entry) {
        if (parameters_.find(entry.key) == nullptr) {
            if (is_section(entry.key)) {
                if (entry.empty_table) return;
                throw configuration_error(fmt::format(
                    "{0}: {1} = {2} has the wrong type: {1} is a section; write [{1}] and its keys "
                    "below",
                    entry.key_position, entry.key,
                    shortened(entry.value ? to_text(*entry.value) : entry.found)));
            }
            std::vector<std::string> candidates = parameters_.keys();
            candidates.insert(candidates.end(), {"inherits", "description"});
            throw configuration_error(
                unknown_key_message(entry.key, candidates, entry.key_position));
        }
        if (!entry.value) parameters_.reject_type(entry.key, entry.found, entry.value_position);
        parameters_.assign(entry.key, *entry.value, entry.value_position, entry.value_position);
    }

    [[nodiscard]] bool is_section(const std::string& key) const {
        const auto& all = parameters_.parameters();
        return std::any_of(all.begin(), all.end(), [&](const parameter& p) {
            return p.key.compare(0, key.size() + 1, key + ".") == 0;
        });
    }

    parameter_list& parameters_;
    const path_list& directories_;
    path_list files_;    ///< all that were read
    path_list descent_;  ///< from the file that was asked for to the one being read
};

void apply_setting(parameter_list& parameters, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw configuration_error("--set " + shortened(setting) +
                                  ": expected KEY=VALUE, as smx.max_blocks=8");
    }
    parameters.assign_text(setting.substr(0, equals), setting.substr(equals + 1), "--set",
                           "--set " + shortened(setting));
}

}  // namespace

fs::path find_configuration(const std::string& name_or_file, const path_list& directories) {
    return find(name_or_file, {}, directories, "");
}

std::vector<configuration_entry> list_configurations(const path_list& directories) {
    std::vector<configuration_entry> result;
    for (const auto& [name, file] : all_configurations(directories)) {
        result.push_back({name, read_configuration_file(file).description, file});
    }
    return result;
}

path_list load_configuration(parameter_list& parameters, const configuration_request& request) {
    file_loader loader(parameters, request.directories);
    if (!request.text.empty()) {
        loader.load_text(request.text);
    } else if (!request.config.empty()) {
        loader.load(find_configuration(request.config, request.directories));
    }
    for (const std::string& setting : request.settings) apply_setting(parameters, setting);
    parameters.check_rules();
    return loader.files();
}

}  // namespace heddle
