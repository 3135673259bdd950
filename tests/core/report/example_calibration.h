#pragma once

#include <string>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/calibration/provenance.h"
#include "core/document/session.h"
#include "core/embedding/vocabulary.h"
#include "core/report/report_model.h"

namespace epsilens::test {

/// Values filled in by hand, each different, so that a mix-up of fields shows.
[[nodiscard]] calibration::Provenance exampleProvenance();

/// Mahalanobis, epsilon 1 and 10 at lambda 0.5 and 1, three words, 4 draws, with per-word values
/// and intervals.
[[nodiscard]] calibration::CalibrationSummary exampleMahalanobis();

/// Laplace, one epsilon, one word, one draw: no interval, no spread, no cosine.
[[nodiscard]] calibration::CalibrationSummary exampleLaplace();

/// TEM under the angular metric, epsilon 2 and 8 at beta 0.001 and 0.25, two words, exact, with
/// per-word values that are no whole numbers.
[[nodiscard]] calibration::CalibrationSummary exampleTem();

/// The same with the radii and caps that follow from beta and the words of exampleProvenance, as a
/// document that is read has to have them.
[[nodiscard]] calibration::CalibrationSummary exampleTemByBeta();

/// Rows 0 to 3: plain, a comma, quotes, a word of another script.
[[nodiscard]] embedding::Vocabulary exampleVocabulary();

/// A calibration as its file would hold it: with a request, worst words "worst0", "worst1" and the
/// pair paris, london.
[[nodiscard]] calibration::Run exampleRun(calibration::CalibrationSummary summary);

/// exampleMahalanobis with every text filled in, two limits, the choice epsilon 10 at lambda 0.5,
/// and a density profile.
[[nodiscard]] document::Report exampleReport();

/// A session with every text and setting filled in and the results of exampleReport().
[[nodiscard]] document::Session exampleSession();

/// A file of one kind, written by the program.
struct ExampleDocument {
    std::string target{};  ///< name of the fuzz target that reads this kind
    std::string json{};
};

/// Calibrations of three mechanisms, a report, sessions with and without results.
[[nodiscard]] std::vector<ExampleDocument> exampleDocuments();

}  // namespace epsilens::test
