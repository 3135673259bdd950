#include "tests/cli/saved_session.h"

#include <memory>
#include <numeric>
#include <utility>

#include <catch2/catch.hpp>

#include "core/document/calibration_document.h"
#include "core/document/session_file.h"

namespace epsilens::test {
namespace {

/// The values are made up.
std::shared_ptr<const calibration::CalibrationSummary> withWordValues(
    calibration::CalibrationSummary summary) {
    const auto words = static_cast<std::size_t>(summary.words);
    const std::size_t values = words * summary.cells.size();
    summary.perWord.cells = summary.cells.size();
    summary.perWord.words.resize(words);
    std::iota(summary.perWord.words.begin(), summary.perWord.words.end(), 0);
    summary.perWord.nw.assign(values, 3);
    summary.perWord.sw.assign(values, 4);
    summary.perWord.near.assign(values, 0.5F);
    return std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
}

}  // namespace

document::Session sessionOf(const Terminal& terminal, const std::string& calibration) {
    auto record = document::readCalibration(terminal.content(calibration));
    REQUIRE(record);
    record->summary = withWordValues(*record->summary);
    document::Session session;
    session.version = "9.8.7";
    session.embedding = document::SessionEmbedding{record->request.load, "", 0,
                                                   record->provenance.embedding.sha256};
    session.grid = record->request.options;
    session.results = std::move(*record);
    return session;
}

void save(const Terminal& terminal, const document::Session& session) {
    REQUIRE(document::saveSession(terminal.path("work.epsilens"), session));
}

}  // namespace epsilens::test
