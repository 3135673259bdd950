// How long reading a calibration takes, and how much memory.
//
//   document-bench write CELLS FILE   a made-up calibration: 4,800 bytes a cell
//   document-bench read FILE

#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/calibration/run.h"
#include "core/document/calibration_document.h"
#include "core/document/json_parser.h"

using namespace epsilens;

namespace {

using Generator = std::mt19937_64;

double share(Generator& generator) {
    return std::uniform_real_distribution<double>()(generator);
}

statistics::Summary madeUpSummary(Generator& generator) {
    statistics::Summary summary;
    for (double* value :
         {&summary.mean, &summary.sd, &summary.min, &summary.p1, &summary.p5, &summary.p25,
          &summary.p50, &summary.p75, &summary.p95, &summary.p99, &summary.max}) {
        *value = 100 * share(generator);
    }
    summary.ci95 = {share(generator), share(generator)};
    return summary;
}

calibration::Run madeUp(int cells) {
    Generator generator(1);
    calibration::CalibrationSummary summary;
    calibration::Run run;
    summary.words = 500;
    summary.wordsAsked = 500;
    summary.draws = 100;
    for (int i = 0; i < cells; ++i) {
        calibration::Cell cell;
        cell.epsilon = i + 1 + share(generator);
        for (statistics::Summary* target :
             {&cell.nw, &cell.sw, &cell.minEntropy, &cell.shannonEntropy, &cell.hartleyEntropy}) {
            *target = madeUpSummary(generator);
        }
        cell.kept = share(generator);
        cell.meanDistance = share(generator);
        summary.cells.push_back(cell);
        mechanism::Guarantee guarantee;
        guarantee.epsilon = cell.epsilon;
        guarantee.bound = cell.epsilon;
        summary.guarantees.push_back(guarantee);
        auto& words = run.worstWords.emplace_back();
        for (int word = 0; word < 10; ++word) {
            words.push_back({fmt::format("word{}", word), word, 100 * share(generator), 3.0});
        }
    }
    run.provenance.embedding.sha256 = std::string(64, 'a');
    run.provenance.embedding.words = 12'000;
    run.provenance.embedding.dimensions = 100;
    run.summary = std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
    return run;
}

int read(const std::string& path) {
    const auto start = std::chrono::steady_clock::now();
    const auto document = document::openJson(path);
    const std::chrono::duration<double> parsed = std::chrono::steady_clock::now() - start;
    const auto record = document.and_then([](const document::JsonDocument& json) {
        return document::readDocument(
            json, [](const document::JsonNode& node) { return document::readCalibration(node); });
    });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!record) {
        fmt::print("{}\n", record.error().message);
        return EXIT_FAILURE;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{:.1f} MB, {} cells: {:.3f} s, of which {:.3f} s for the document; peak {} MiB\n",
               static_cast<double>(std::filesystem::file_size(path)) / 1e6,
               record->summary->cells.size(), seconds.count(), parsed.count(),
               usage.ru_maxrss / 1024);
    return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 4 && std::string_view(arguments[1]) == "write") {
        const calibration::Run record = madeUp(std::atoi(arguments[2]));
        std::ofstream(arguments[3]) << document::calibrationJson(record);
        return EXIT_SUCCESS;
    }
    if (count == 3 && std::string_view(arguments[1]) == "read") {
        return read(arguments[2]);
    }
    fmt::print("document-bench write CELLS FILE | read FILE\n");
    return EXIT_FAILURE;
}
