// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/inputs/input_files.h"

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <filesystem>

#include "models/base/error.h"
#include "models/inputs/load_graph.h"

namespace heddle::inputs {
namespace {

std::string format_of(const std::string& name) {
    const std::string extension = std::filesystem::path(name).extension().string();
    if (extension == ".mtx") return "matrix_market";
    if (extension == ".gr") return "dimacs";
    return extension == ".graph" ? "metis" : "edge_list";
}

}  // namespace

graph input_files::load_text(const std::string& name, const std::string& content,
                             const std::string& arguments) const {
    const std::string file = write(name, content);
    if (arguments.empty()) return load_graph(file);
    return load_graph(format_of(name) + ":file=" + file + "," + arguments);
}

std::string input_files::error_of(const std::string& name, const std::string& content,
                                  const std::string& arguments) const {
    try {
        (void)load_text(name, content, arguments);
    } catch (const configuration_error& error) {
        std::string text = error.what();
        const std::string directory = path("");
        for (std::size_t at = 0; (at = text.find(directory, at)) != std::string::npos;) {
            text.erase(at, directory.size());
        }
        return text;
    }
    return "no error";
}

std::string error_of_input(const std::string& input) {
    try {
        (void)load_graph(input);
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "no error";
}

std::string gzipped(const std::string& text) {
    namespace io = boost::iostreams;
    std::string packed;
    io::filtering_ostream out;
    out.push(io::gzip_compressor());
    out.push(io::back_inserter(packed));
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    io::close(out);
    return packed;
}

void PrintTo(const stored_edge& printed, std::ostream* out) {
    *out << printed.source << "->" << printed.target << " (" << printed.weight << ")";
}

std::vector<stored_edge> edges_of(const graph& listed) {
    validate(listed);
    std::vector<stored_edge> result;
    for (std::uint32_t v = 0; v < listed.vertex_count(); ++v) {
        for (std::uint32_t e = listed.offsets[v]; e < listed.offsets[v + 1]; ++e) {
            result.push_back({v, listed.targets[e], listed.weighted() ? listed.weights[e] : 0});
        }
    }
    return result;
}

}  // namespace heddle::inputs
