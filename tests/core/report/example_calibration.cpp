#include "tests/core/report/example_calibration.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "core/document/report_document.h"

namespace epsilens::test {
namespace {

/// Thirteen values that count up from `first`.
calibration::Summary counting(double first, bool withIntervals) {
    using calibration::Summary;
    Summary summary;
    double value = first + 4;
    for (double Summary::*member :
         {&Summary::min, &Summary::p1, &Summary::p5, &Summary::p25, &Summary::p50, &Summary::p75,
          &Summary::p95, &Summary::p99, &Summary::max}) {
        summary.*member = ++value;
    }
    summary.mean = first;
    summary.sd = first + 1;
    if (withIntervals) {
        summary.sdTrue = first + 2;
        summary.ci95 = {first + 3, first + 4};
    }
    return summary;
}

calibration::Cell cellAt(double epsilon, double lambda, double first) {
    calibration::Cell cell;
    cell.epsilon = epsilon;
    cell.lambda = lambda;
    cell.nw = counting(first, true);
    cell.sw = counting(first + 100, true);
    cell.minEntropy = counting(first + 200, false);
    cell.shannonEntropy = counting(first + 300, false);
    cell.hartleyEntropy = counting(first + 400, false);
    cell.coverage = 0.75;
    cell.kept = 0.1;
    cell.near = 0.2;
    cell.far = 0.7;
    cell.meanDistance = 3.25;
    cell.meanCosine = 0.625;
    return cell;
}

mechanism::Guarantee guaranteeAt(double epsilon, mechanism::Metric metric, const char* statement) {
    mechanism::Guarantee guarantee;
    guarantee.epsilon = guarantee.bound = epsilon;
    guarantee.metric = metric;
    guarantee.statement = statement;
    return guarantee;
}

/// A run of some words with that many draws, without its cells.
calibration::CalibrationSummary runOf(const mechanism::Mechanism& mechanism,
                                      std::vector<embedding::Row> words, int draws) {
    calibration::CalibrationSummary summary;
    summary.grid.mechanism = mechanism;
    summary.wordsAsked = summary.words = static_cast<std::int64_t>(words.size());
    summary.perWord.words = std::move(words);
    summary.draws = draws;
    summary.nearNeighbours = 3;
    return summary;
}

}  // namespace

calibration::Provenance exampleProvenance() {
    calibration::Provenance run;
    run.version = "9.8.7";
    run.embedding.file = "vectors.txt.gz";
    run.embedding.sha256 = "abc123";
    run.embedding.format = "glove-text";
    run.embedding.words = 12345;
    run.embedding.dimensions = 300;
    run.embedding.badLines = 2;
    run.embedding.duplicates = 3;
    run.loadSeconds = 0.5;
    run.prepareSeconds = 0.25;
    run.peakMemoryMiB = 700;
    return run;
}

calibration::CalibrationSummary exampleMahalanobis() {
    calibration::CalibrationSummary summary = runOf(mechanism::Mahalanobis{}, {0, 1, 3}, 4);
    summary.grid.epsilons = {1, 10};
    summary.grid.lambdas = {0.5, 1};
    double first = 1000;
    for (const double lambda : summary.grid.lambdas) {
        for (const double epsilon : summary.grid.epsilons) {
            summary.cells.push_back(cellAt(epsilon, lambda, first));
            summary.guarantees.push_back(
                guaranteeAt(epsilon, mechanism::Metric::mahalanobis, "ε·‖·‖_RM"));
            summary.guarantees.back().lambda = lambda;
            summary.guarantees.back().euclidean = {0.5 * epsilon, 2 * epsilon};
            first += 1000;
        }
    }
    summary.perWord.cells = 4;
    summary.perWord.nw = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1};
    summary.perWord.sw = {4, 3, 2, 1, 1, 4, 3, 2, 1, 1, 4, 3};
    summary.perWord.near = {1, 0.75F, 0.5F, 0.25F, 0, 1, 0.25F, 0.25F, 0.25F, 0, 0.5F, 0};
    summary.perWord.criticalEpsilonMedian = {
        0.1F, 2.5F, 0.0F, std::numeric_limits<float>::infinity(), 1e-7F, 40.0F};
    summary.seed = 9007199254740993;  // 2^53 + 1: a reader that goes through double loses it
    summary.threads = 2;
    summary.nearNeighbours = 100;
    summary.blockSize = 64;
    summary.substitutions = 48;
    summary.seconds = 20.125;
    return summary;
}

calibration::CalibrationSummary exampleLaplace() {
    calibration::CalibrationSummary summary = runOf(mechanism::Laplace{}, {2}, 1);
    summary.grid.epsilons = {0.1};
    summary.grid.lambdas = {0};
    summary.cells = {cellAt(0.1, 0, 0)};
    calibration::Cell& cell = summary.cells.front();
    cell.nw = counting(0, false);
    cell.sw = counting(1, false);
    cell.meanCosine = std::nullopt;
    summary.guarantees = {guaranteeAt(0.1, mechanism::Metric::euclidean, "ε·‖·‖₂")};
    summary.perWord.cells = 1;
    summary.perWord.nw = {0};
    summary.perWord.sw = {1};
    summary.perWord.near = {1};
    summary.seed = 1;
    summary.threads = 1;
    summary.blockSize = 1;
    summary.substitutions = 1;
    return summary;
}

calibration::CalibrationSummary exampleTem() {
    calibration::CalibrationSummary summary =
        runOf(mechanism::Tem{mechanism::Metric::angular}, {0, 3}, 4);
    summary.grid.epsilons = {2, 8};
    summary.grid.lambdas = {0};
    summary.grid.betas = {0.001, 0.25};
    double first = 1000;
    for (const double beta : summary.grid.betas) {
        for (const double epsilon : summary.grid.epsilons) {
            calibration::Cell cell = cellAt(epsilon, 0, first);
            cell.gamma = 40 / epsilon;
            cell.beta = beta;
            cell.coverage = std::nullopt;
            cell.relativeError = 0.00025;
            summary.cells.push_back(cell);
            summary.guarantees.push_back(
                guaranteeAt(epsilon, mechanism::Metric::angular, "ε·min(∠, γ)"));
            summary.guarantees.back().gamma = cell.gamma;
            summary.guarantees.back().cap = 40;
            first += 1000;
        }
    }
    summary.perWord.cells = 4;
    summary.perWord.nw = {0.5, 1.25, 2, 3, 4, 0.0625, 1, 2};
    summary.perWord.sw = {3.5, 3, 2, 1.5, 1, 4, 3, 2};
    summary.perWord.near = {0.5F, 0.25F, 0.125F, 0, 0, 0.75F, 0.5F, 0.25F};
    summary.perWord.criticalEpsilonMedian = {1.5F, 2.5F, 0.0F,
                                             std::numeric_limits<float>::infinity()};
    summary.seed = 7;
    summary.threads = 2;
    summary.seconds = 0.25;
    return summary;
}

calibration::CalibrationSummary exampleTemByBeta() {
    calibration::CalibrationSummary summary = exampleTem();
    const auto others = static_cast<double>(exampleProvenance().embedding.words - 1);
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        calibration::Cell& cell = summary.cells[i];
        // Theorem 3 of Carvalho et al. 2021, written out.
        cell.gamma = 2 / cell.epsilon * std::log((1 - *cell.beta) * others / *cell.beta);
        summary.guarantees[i].gamma = cell.gamma;
        summary.guarantees[i].cap = cell.epsilon * *cell.gamma;
    }
    return summary;
}

embedding::Vocabulary exampleVocabulary() {
    embedding::Vocabulary vocabulary;
    for (const char* word : {"plain", "a,b", "say \"hi\"", "слово"}) {
        vocabulary.add(word);
    }
    return vocabulary;
}

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

document::Session exampleSession() {
    const document::Report report = exampleReport();
    document::Session session;
    session.version = "9.8.7";
    document::SessionEmbedding embedding;
    embedding.load.path = "/data/vectors.txt.gz";
    embedding.load.inputFormat = embedding::InputFormat::glove;
    embedding.load.limitRows = 50;
    embedding.load.strict = true;
    embedding.bytes = 123'456'789'012;
    embedding.sha256 = std::string(64, 'a');
    session.embedding = embedding;
    session.current = {mechanism::Tem{metric::Metric::mahalanobis, 0.75, 8.0}, 2.5};
    session.grid = report.run.request.options;
    session.wordsFrom = calibration::SelectionDescription{"40", "letters.csv", "text", 7};
    session.percentileBand = {1, 99};
    session.letterCase = text::CasePolicy::lower;
    session.pins = {{mechanism::Laplace{}, 3.5},
                    {mechanism::Tem{metric::Metric::angular, 0.25, {}, 0.125}, 4.5},
                    {mechanism::Hyperbolic{mechanism::RadialLaw::eq7}, 5.5}};
    session.report = report.settings;
    session.report.epsilonOrigin = "A search found it.";
    session.report.figureLimits = {*evaluation::parseFigureLimit("attack.gain<=5%"),
                                   *evaluation::parseFigureLimit("classify.linear.retained>=95%")};
    session.results = report.run;
    return session;
}

std::vector<ExampleDocument> exampleDocuments() {
    std::vector<ExampleDocument> documents;
    for (const auto& summary : {exampleMahalanobis(), exampleLaplace(), exampleTemByBeta()}) {
        const calibration::Run record = exampleRun(summary);
        documents.push_back(
            {"calibration", document::jsonText(document::calibrationDocument(record))});
    }
    const document::Report report = exampleReport();
    documents.push_back({"report", document::reportJson(report).value()});
    document::Session session = exampleSession();
    session.report.sentences = {"a sentence"};
    session.keepsSentences = true;
    session.results.reset();
    documents.push_back({"session", document::sessionJson(session)});
    session.results = report.run;
    documents.push_back({"session", document::sessionJson(session)});
    return documents;
}

}  // namespace epsilens::test
