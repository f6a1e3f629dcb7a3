// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <limits>

#include "models/workloads/critical_section.h"
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct km_options : critical_section_options {
    std::uint32_t clusters = 0;
    std::uint32_t dimensions = 12;

    void declare(parameter_list& p) {
        critical_section_options::declare(p);
        p.add("clusters", clusters, range(0, 512), "cluster",
              "Clusters that the points of a block join; 0 = 8 with high contention, 96 with low");
        p.add("dimensions", dimensions, range(1, 64), "word",
              "Coordinates of a point; a section reads and writes one word more");
    }
    [[nodiscard]] std::uint32_t centers() const noexcept {
        if (clusters != 0) return clusters;
        return high() ? 8 : 96;
    }
};

/// Coordinates below 256.
std::vector<std::uint32_t> coordinates(random_stream stream, std::size_t count) {
    std::vector<std::uint32_t> values(count);
    for (auto& value : values) value = static_cast<std::uint32_t>(stream.below(256));
    return values;
}

/// The lowest of the clusters whose centers are nearest to the point.
std::uint32_t nearest(const std::uint32_t* point, const std::vector<std::uint32_t>& centers,
                      std::uint32_t dimensions) {
    std::uint32_t found = 0, least = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t c = 0; c < centers.size() / dimensions; ++c) {
        std::uint32_t distance = 0;
        for (std::uint32_t d = 0; d < dimensions; ++d) {
            const std::uint32_t apart = point[d] - centers[c * dimensions + d];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            found = c;
        }
    }
    return found;
}

void run(device& gpu, const km_options& options, const run_context& context,
         workload_report& report) {
    const std::uint32_t clusters = options.centers();
    const std::uint32_t dimensions = options.dimensions;
    const std::uint32_t width = dimensions + 1;
    const auto points =
        coordinates(context.random("points"), std::size_t{options.all_items()} * dimensions);
    const auto centers = coordinates(context.random("centers"), std::size_t{clusters} * dimensions);

    const device_buffer<std::uint32_t> device_points(gpu, points, "points");
    const device_buffer<std::uint32_t> device_centers(gpu, centers, "centers");
    const device_buffer<std::uint32_t> device_totals(gpu, options.blocks * clusters * width,
                                                     "totals");
    launch(gpu, options.entry("km"), options.shape(clusters * width), options.items(), clusters,
           dimensions, device_points.get(), device_centers.get(), device_totals.get());
    const auto totals = device_totals.read();

    std::vector<std::uint32_t> expected(totals.size());
    for (std::uint32_t i = 0; i < options.all_items(); ++i) {
        const std::uint32_t* const point = &points[std::size_t{i} * dimensions];
        const std::uint32_t cluster = nearest(point, centers, dimensions);
        std::uint32_t* const sum = &expected[(i / options.items() * clusters + cluster) * width];
        for (std::uint32_t d = 0; d < dimensions; ++d) sum[d] += point[d];
        ++sum[dimensions];
    }
    report.compare("sums", totals, expected);
    report.declare_deterministic("sums", totals);
    options.describe(report, clusters * width);
}

}  // namespace

workload km() {
    return make_workload<km_options>(
        "km", "Accumulation of k-means in shared memory: sections with many words", "", run);
}

}  // namespace heddle::workloads
