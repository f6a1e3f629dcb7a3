// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/trace_output.h"

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <utility>

#include "hw/base/fst_output.h"
#include "models/base/error.h"
#include "models/base/output_file.h"

namespace heddle {
namespace {

class plain_output final : public trace_output {
public:
    explicit plain_output(std::filesystem::path file) : file_(std::move(file)) {}

    std::ostream& stream() noexcept override { return file_.stream(); }
    const std::filesystem::path& destination() const noexcept override {
        return file_.destination();
    }
    void commit() override { file_.commit(); }

private:
    output_file file_;
};

/// Takes everything, also when the file does not: the compressor would offer the rest for ever. The
/// file remembers its failure until commit().
class patient_sink {
public:
    using char_type = char;
    using category = boost::iostreams::sink_tag;

    explicit patient_sink(std::ostream& stream) : stream_(&stream) {}

    std::streamsize write(const char* text, std::streamsize count) {
        stream_->write(text, count);
        return count;
    }

private:
    std::ostream* stream_;
};

class compressed_output final : public trace_output {
public:
    explicit compressed_output(std::filesystem::path file) : file_(std::move(file)) {
        // Traces are repetitive: the fastest level makes them hardly bigger than the best.
        boost::iostreams::gzip_params parameters(boost::iostreams::gzip::best_speed);
        parameters.mtime = 0;  // equal runs give equal bytes
        compressor_.push(boost::iostreams::gzip_compressor(parameters));
        compressor_.push(patient_sink(file_.stream()));
    }

    std::ostream& stream() noexcept override { return compressor_; }
    const std::filesystem::path& destination() const noexcept override {
        return file_.destination();
    }
    void commit() override {
        compressor_.reset();  // writes the end
        file_.commit();
    }

private:
    output_file file_;
    boost::iostreams::filtering_ostream compressor_;
};

}  // namespace

std::unique_ptr<trace_output> make_trace_output(const std::filesystem::path& file) {
    if (file.extension() == ".gz") return std::make_unique<compressed_output>(file);
    return std::make_unique<plain_output>(file);
}

std::unique_ptr<trace_output> make_wave_output(const std::filesystem::path& file) {
    if (file.extension() == ".fst") return std::make_unique<fst_output>(file);
    return make_trace_output(file);
}

}  // namespace heddle
