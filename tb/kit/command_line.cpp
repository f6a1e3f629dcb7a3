// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/kit/command_line.h"

#include <CLI/CLI.hpp>

namespace heddle {
namespace {

template <class Number>
void add_number(CLI::App& app, const std::string& name, Number& value, const std::string& text,
                Number low, Number high) {
    app.add_option(name, value, text)->check(CLI::Range(low, high))->capture_default_str();
}

}  // namespace

void command_line::number(const std::string& name, std::uint32_t& value, const std::string& text,
                          std::uint32_t low, std::uint32_t high) {
    add_number(app_, name, value, text, low, high);
}

void command_line::number(const std::string& name, std::uint64_t& value, const std::string& text,
                          std::uint64_t low, std::uint64_t high) {
    add_number(app_, name, value, text, low, high);
}

void command_line::number(const std::string& name, double& value, const std::string& text,
                          double low, double high) {
    add_number(app_, name, value, text, low, high);
}

void command_line::number_of(const std::string& name, std::uint32_t& value, const std::string& text,
                             const std::vector<std::uint32_t>& legal) {
    app_.add_option(name, value, text)->check(CLI::IsMember(legal))->capture_default_str();
}

void command_line::numbers(const std::string& name, std::vector<std::uint32_t>& values,
                           const std::string& text) {
    app_.add_option(name, values, text)->delimiter(',');
}

void command_line::numbers(const std::string& name, std::vector<double>& values,
                           const std::string& text, double low, double high) {
    app_.add_option(name, values, text)
        ->check(CLI::Range(low, high))
        ->delimiter(',')
        ->capture_default_str();
}

void command_line::flag(const std::string& name, bool& value, const std::string& text) {
    app_.add_flag(name, value, text);
}

void command_line::words(const std::string& name, std::string& value, const std::string& text) {
    app_.add_option(name, value, text)->capture_default_str();
}

void command_line::repeated(const std::string& name, std::vector<std::string>& values,
                            const std::string& text) {
    app_.add_option(name, values, text)->allow_extra_args(false);
}

void command_line::name_of(const std::string& name, const std::vector<std::string>& names,
                           const std::function<void(const std::string&)>& chosen,
                           const std::string& text) {
    app_.add_option_function<std::string>(name, chosen, text)
        ->check(CLI::IsMember(names))
        ->type_name("NAME");
}

void command_line::needs(const std::string& name, const std::string& other) {
    app_.get_option(name)->needs(app_.get_option(other));
}

}  // namespace heddle
