// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cmath>

#include "models/workloads/helpers.h"
#include "models/workloads/hmmer/profile.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

using namespace profile;

enum class matrix_layout { apart, interleaved, private_memory };

struct hmmer_options {
    matrix_layout layout = matrix_layout::apart;
    std::uint32_t sequences = 1024;
    std::uint32_t nodes = 12;
    std::uint32_t shortest = 4;
    std::uint32_t longest = 20;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("layout", layout,
              {{"apart", matrix_layout::apart},
               {"interleaved", matrix_layout::interleaved},
               {"private", matrix_layout::private_memory}},
              "Matrices of the sequences: apart = one behind the other, as on processors; "
              "interleaved = equal words of all sequences together; private = in the threads' "
              "private memory");
        p.add("sequences", sequences, range(1, 1 << 20), "sequence",
              "Number of sequences to score");
        p.add("nodes", nodes, range(1, 4096), "node", "Length of the profile");
        p.add("shortest", shortest, range(1, 4096), "letter", "Length of the shortest sequence");
        p.add("longest", longest, range(1, 4096), "letter", "Length of the longest sequence");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
        p.require({"shortest", "longest"}, "shortest is at most longest",
                  [this] { return shortest <= longest; });
        p.require(
            {"layout", "nodes", "longest"},
            "(nodes + 1) * (longest + 1) is at most 512 for matrices in private memory", [this] {
                return layout != matrix_layout::private_memory || matrix_words() <= private_words;
            });
    }
    /// Of the longest sequence.
    [[nodiscard]] std::size_t matrix_words() const noexcept {
        return (nodes + std::size_t{1}) * (longest + std::size_t{1}) * cell_words;
    }
};

/// HMMER 2's score of a probability, over what it is by chance.
std::int32_t score_of(double probability, double by_chance = 1) {
    return static_cast<std::int32_t>(std::floor(0.5 + 1000 * std::log2(probability / by_chance)));
}

/// `count` scores of probabilities that add up to 1.
void add_emissions(std::int32_t* scores, random_stream& stream) {
    double parts[letters];
    double sum = 0;
    for (double& part : parts) sum += part = -std::log(1 - stream.uniform());
    for (unsigned i = 0; i < letters; ++i) {
        scores[i] = score_of(std::max(parts[i] / sum, 1e-4), 1.0 / letters);
    }
}

/// A random profile that enters and leaves the model anywhere (hmmfs).
std::vector<std::int32_t> random_profile(const hmmer_options& options, random_stream stream) {
    const double length = (options.shortest + options.longest) / 2.0;
    const double loop = length / (length + 1);
    std::vector<std::int32_t> model(outer_words + (options.nodes + std::size_t{1}) * node_words);
    for (const unsigned word : {n_loop, c_loop, j_loop}) model[word] = score_of(loop);
    for (const unsigned word : {n_move, c_move, j_move}) model[word] = score_of(1 - loop);
    model[end_c] = model[end_j] = score_of(0.5);
    for (std::uint32_t k = 0; k <= options.nodes; ++k) {
        std::int32_t* const node = &model[outer_words + std::size_t{k} * node_words];
        const double gap = 0.02 + 0.2 * stream.uniform();
        node[match_match] = score_of(1 - 2 * gap);
        node[match_insert] = node[match_delete] = score_of(gap);
        const double longer = 0.2 + 0.6 * stream.uniform();
        node[insert_insert] = node[delete_delete] = score_of(longer);
        node[insert_match] = node[delete_match] = score_of(1 - longer);
        node[entry] = score_of(1.0 / options.nodes);
        node[leave] = score_of(1.0 / options.nodes);
        add_emissions(node + match_emission, stream);
        add_emissions(node + insert_emission, stream);
    }
    return model;
}

/// The serial reference: the score of one sequence by whole columns of states.
class serial_viterbi {
public:
    serial_viterbi(const std::vector<std::int32_t>& model, std::uint32_t nodes)
        : model_(model), nodes_(nodes) {}

    [[nodiscard]] std::int32_t score(const unsigned char* text, std::size_t length) const {
        column last(nodes_);
        std::int32_t n = 0;
        std::int32_t j = never;
        std::int32_t c = never;
        std::int32_t begin = model_[n_move];
        for (std::size_t i = 0; i < length; ++i) {
            column next(nodes_);
            std::int32_t end = never;
            for (std::uint32_t k = 1; k <= nodes_; ++k) {
                next.match[k] = bounded(
                    std::max({last.match[k - 1] + at(k - 1, match_match),
                              last.insert[k - 1] + at(k - 1, insert_match),
                              last.erased[k - 1] + at(k - 1, delete_match), begin + at(k, entry)}) +
                    at(k, match_emission + text[i]));
                next.insert[k] = bounded(std::max(last.match[k] + at(k, match_insert),
                                                  last.insert[k] + at(k, insert_insert)) +
                                         at(k, insert_emission + text[i]));
                next.erased[k] = bounded(std::max(next.match[k - 1] + at(k - 1, match_delete),
                                                  next.erased[k - 1] + at(k - 1, delete_delete)));
                end = std::max(end, next.match[k] + at(k, leave));
            }
            n += model_[n_loop];
            j = bounded(std::max(j + model_[j_loop], end + model_[end_j]));
            c = bounded(std::max(c + model_[c_loop], end + model_[end_c]));
            begin = std::max(n + model_[n_move], j + model_[j_move]);
            last = std::move(next);
        }
        return c + model_[c_move];
    }

private:
    struct column {
        explicit column(std::uint32_t nodes)
            : match(nodes + 1, never), insert(nodes + 1, never), erased(nodes + 1, never) {}
        std::vector<std::int32_t> match, insert, erased;
    };
    static std::int32_t bounded(std::int32_t score) { return std::max(score, never); }
    [[nodiscard]] std::int32_t at(std::uint32_t node, unsigned word) const {
        return model_[outer_words + std::size_t{node} * node_words + word];
    }

    const std::vector<std::int32_t>& model_;
    std::uint32_t nodes_;
};

struct sequence_list {
    std::vector<std::uint32_t> offsets{0};
    std::vector<unsigned char> text;
};

sequence_list random_sequences(const hmmer_options& options, random_stream stream) {
    sequence_list list;
    for (std::uint32_t s = 0; s < options.sequences; ++s) {
        const auto length = options.shortest + stream.below(options.longest - options.shortest + 1);
        for (std::uint64_t i = 0; i < length; ++i) {
            list.text.push_back(static_cast<unsigned char>(stream.below(letters)));
        }
        list.offsets.push_back(static_cast<std::uint32_t>(list.text.size()));
    }
    return list;
}

std::vector<std::uint32_t> scores_on(device& gpu, const hmmer_options& options,
                                     const std::vector<std::int32_t>& model,
                                     const sequence_list& list) {
    const device_buffer<std::int32_t> device_model(gpu, model, "profile");
    const device_buffer<std::uint32_t> offsets(gpu, list.offsets, "offsets");
    const device_buffer<unsigned char> text(gpu, list.text, "sequences");
    const device_buffer<std::uint32_t> scores(gpu, options.sequences, "scores");
    const launch_shape shape = grid_over(options.sequences, options.block);
    if (options.layout == matrix_layout::private_memory) {
        launch(gpu, "hmmer_private", shape, options.sequences, options.nodes, device_model.get(),
               offsets.get(), text.get(), scores.get());
        return scores.read();
    }
    const bool interleaved = options.layout == matrix_layout::interleaved;
    const std::size_t words = interleaved ? options.sequences * options.matrix_words()
                                          : (list.text.size() + options.sequences) *
                                                (options.nodes + std::size_t{1}) * cell_words;
    const device_buffer<std::int32_t> matrices(gpu, words, "matrices");
    launch(gpu, "hmmer", shape, options.sequences, options.nodes, interleaved ? 1U : 0U,
           device_model.get(), offsets.get(), text.get(), matrices.get(), scores.get());
    return scores.read();
}

void run(device& gpu, const hmmer_options& options, const run_context& context,
         workload_report& report) {
    const auto model = random_profile(options, context.random("profile"));
    const auto list = random_sequences(options, context.random("sequences"));
    const auto scores = scores_on(gpu, options, model, list);

    const serial_viterbi serial(model, options.nodes);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t s = 0; s < options.sequences; ++s) {
        const std::uint32_t first = list.offsets[s];
        expected.push_back(static_cast<std::uint32_t>(
            serial.score(list.text.data() + first, list.offsets[s + 1] - first)));
    }
    report.compare("scores", scores, expected);
    report.declare_deterministic("scores", scores);
    report.add_row("sequences", std::uint64_t{options.sequences});
    report.add_row("letters", std::uint64_t{list.text.size()});
}

}  // namespace

workload hmmer() {
    return make_workload<hmmer_options>(
        "hmmer", "Viterbi scores of sequences against a profile HMM, a thread each", "", run);
}

}  // namespace heddle::workloads
