// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Prints what an RTL block of a slot needs to know: heddle_ports list |
// shell SLOT MODULE [NAME=VALUE...] | skeleton SLOT MODULE | widths SLOT | component SLOT MODULE
// FILE... | component_2022 SLOT MODULE FILE... | dpi_header SLOT... | dpi_package SLOT... |
// dpi_source SLOT...
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "hw/cosim/dpi.h"
#include "hw/cosim/ip_xact.h"
#include "hw/cosim/shell.h"

namespace {

using namespace heddle::cosim;

rtl_block_list blocks_of(const std::vector<std::string>& words) {
    rtl_block_list blocks;
    for (std::size_t n = 1; n < words.size(); ++n) blocks.push_back(find_rtl_block(words[n]));
    return blocks;
}

int run(const std::vector<std::string>& words) {
    if (words.size() == 1 && words[0] == "list") {
        for (const rtl_block& block : rtl_blocks()) std::cout << port_listing(block);
    } else if (words.size() > 2 && words[0] == "shell") {
        std::cout << shell_of(find_rtl_block(words[1]), words[2], {words.begin() + 3, words.end()});
    } else if (words.size() == 3 && words[0] == "skeleton") {
        std::cout << skeleton_of(find_rtl_block(words[1]), words[2]);
    } else if (ip_xact_standard standard; words.size() > 2 && read_standard(words[0], standard)) {
        const std::vector<std::string> files(words.begin() + 3, words.end());
        std::cout << ip_xact_of(component_of(find_rtl_block(words[1]), words[2], files), standard);
    } else if (words.size() == 2 && words[0] == "widths") {
        std::cout << port_widths(find_rtl_block(words[1]));
    } else if (words.size() > 1 && words[0] == "dpi_header") {
        std::cout << dpi_header(blocks_of(words));
    } else if (words.size() > 1 && words[0] == "dpi_package") {
        std::cout << dpi_package(blocks_of(words));
    } else if (words.size() > 1 && words[0] == "dpi_source") {
        std::cout << dpi_source(blocks_of(words));
    } else {
        std::cerr << "heddle_ports: list, shell SLOT MODULE [NAME=VALUE...], skeleton SLOT MODULE, "
                     "widths SLOT, "
                     "component SLOT MODULE FILE..., component_2022 SLOT MODULE FILE..., "
                     "dpi_header SLOT..., dpi_package SLOT..., or "
                     "dpi_source SLOT...\n";
        return 2;
    }
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run({words + 1, words + count});
    } catch (const std::exception& error) {
        std::cerr << "heddle_ports: " << error.what() << '\n';
        return 2;
    }
}
