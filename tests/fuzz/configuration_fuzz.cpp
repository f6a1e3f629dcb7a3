// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A configuration file; with "--set KEY=VALUE" as its first lines also settings.
#include <string>
#include <vector>

#include "hw/top/gpu_configuration.h"
#include "models/base/configuration.h"
#include "models/base/error.h"
#include "tests/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace heddle;
    std::string text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> settings;
    const std::string option = "--set ";
    while (text.rfind(option, 0) == 0) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        settings.push_back(text.substr(option.size(), end - option.size()));
        text.erase(0, end + 1);
    }
    // A file may inherit any other, and reading a device may take for ever.
    if (text.find("inherits") != std::string::npos) return 0;
    const memory_file file(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    try {
        gpu_configuration configuration;
        parameter_list parameters(configuration);
        load_configuration(parameters, {file.path(), settings});
    } catch (const configuration_error&) {
    }
    return 0;
}
