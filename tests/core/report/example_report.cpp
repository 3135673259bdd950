#include "tests/core/report/example_report.h"

#include <utility>

#include "tests/core/report/example_calibration.h"

namespace epsilens::test {

calibration::Run exampleRun(calibration::CalibrationSummary summary) {
    calibration::Run run;
    run.provenance = exampleProvenance();
    run.provenance.embedding.sha256 = std::string(64, 'a');
    run.request.load.path = "/data/vectors.txt.gz";
    calibration::CalibrationOptions& options = run.request.options;
    options.grid = summary.grid;
    options.draws = summary.draws;
    options.seed = summary.seed;
    options.words = {calibration::WordSelection::Kind::list, 0, {0, 1, 3}};
    double value = 0.25;
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        run.worstWords.push_back(
            {{"worst0", 7, value, value + 0.5}, {"worst1", 8, value + 1, value + 2}});
        value += 10;
    }
    for (const double lambda : summary.grid.lambdas) {
        run.pairs.push_back({"paris", "london", lambda, 0.375 + lambda});
    }
    run.summary = std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
    return run;
}

document::Report exampleReport() {
    document::Report report{{}, exampleRun(exampleMahalanobis())};
    document::ReportSettings& settings = report.settings;
    settings.title = "A <title> & more";
    settings.purpose = "purpose text";
    settings.author = "author text";
    settings.date = "2026-01-31";
    settings.trainedOnProtectedText = document::ReportSettings::Answer::no;
    settings.textSource = "source text";
    settings.unknownWords = "keep";
    settings.alternatives = "alternatives text";
    settings.reason = "reason text";
    settings.choice = calibration::Choice{10, 0.5, std::nullopt};
    settings.limits = {*calibration::parseLimit("nw.p95<=5000"),
                       *calibration::parseLimit("sw.p5>=20000")};
    calibration::DensityFigures density;
    density.distances.min = 0.125;
    density.distances.p5 = 0.5;
    density.distances.p50 = 1.5;
    density.distances.p95 = 2.5;
    density.distances.max = 4.5;
    density.meanOfSparsest = 3.5;
    density.meanOfDensest = 0.25;
    settings.density = density;
    return report;
}

}  // namespace epsilens::test
