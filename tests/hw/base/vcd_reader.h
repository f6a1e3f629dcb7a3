// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// A VCD file read back: per hierarchical name its type, width and changes. Strict: throws
/// std::runtime_error for anything that the format does not allow.
class vcd_reader {
public:
    using changes = std::vector<std::pair<std::uint64_t, std::string>>;
    struct variable {
        std::string type;
        unsigned width = 0;
        changes values;
    };

    explicit vcd_reader(const std::string& path) {
        std::ifstream in(path);
        if (!in) {
            throw std::runtime_error("no file " + path);
        }
        read_header(in);
        std::string line;
        while (std::getline(in, line)) {
            read_change(line);
        }
    }
    [[nodiscard]] const variable& operator[](const std::string& name) const {
        return variables_.at(name);
    }
    [[nodiscard]] const std::map<std::string, variable>& variables() const { return variables_; }
    [[nodiscard]] std::uint64_t end_time() const { return time_; }

private:
    static void demand(bool good, const std::string& what) {
        if (!good) {
            throw std::runtime_error("vcd: " + what);
        }
    }
    void read_header(std::istream& in) {
        std::vector<std::string> scopes;
        std::string word;
        while (in >> word) {
            std::vector<std::string> words;
            for (std::string next; word != "$end" && in >> next && next != "$end";) {
                words.push_back(next);
            }
            if (word == "$scope") {
                demand(words.size() == 2, "scope");
                scopes.push_back(words[1]);
            } else if (word == "$upscope") {
                demand(!scopes.empty(), "upscope without scope");
                scopes.pop_back();
            } else if (word == "$var") {
                demand(words.size() == 4 || words.size() == 5, "var");
                std::string name;
                for (const std::string& scope : scopes) {
                    name += scope + ".";
                }
                name += words[3];
                demand(variables_.count(name) == 0, "twice: " + name);
                variable& v = variables_[name];
                v.type = words[0];
                v.width = static_cast<unsigned>(std::stoul(words[1]));
                demand(by_code_.emplace(words[2], &v).second, "code used twice");
            } else if (word == "$enddefinitions") {
                demand(scopes.empty(), "scope left open");
                return;
            } else {
                demand(word == "$date" || word == "$version" || word == "$timescale" ||
                           word == "$comment",
                       word);
            }
        }
        demand(false, "no end of definitions");
    }
    void read_change(const std::string& line) {
        if (line.empty()) {
            return;
        }
        if (line == "$comment") {
            comment_ = true;
        }
        if (line[0] == '$') {
            if (line == "$end") {
                comment_ = false;
            }
            return;
        }
        if (comment_) {
            return;
        }
        if (line[0] == '#') {
            const std::uint64_t time = std::stoull(line.substr(1));
            demand(time >= time_, "time goes back");
            time_ = time;
            return;
        }
        const bool vector = line[0] == 'b' || line[0] == 'r' || line[0] == 's';
        const std::size_t space = line.find(' ');
        demand(vector == (space != std::string::npos), "change: " + line);
        const std::string value = vector ? line.substr(1, space - 1) : line.substr(0, 1);
        const auto found = by_code_.find(vector ? line.substr(space + 1) : line.substr(1));
        demand(found != by_code_.end(), "unknown code: " + line);
        demand(line[0] != 'b' || value.size() <= found->second->width, "too wide: " + line);
        found->second->values.emplace_back(time_, value);
    }

    std::map<std::string, variable> variables_;
    std::map<std::string, variable*> by_code_;
    std::uint64_t time_ = 0;
    bool comment_ = false;
};

}  // namespace heddle
