#include "core/document/calibration_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/document/calibration_json.h"
#include "core/document/plane_json.h"
#include "core/document/request_json.h"

namespace epsilens::document {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using statistics::Summary;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostCells = 1'000'000;
constexpr std::size_t kMostPairs = 1'000'000;

/// A value that a writer leaves null when it does not exist.
double numberOrNaN(const JsonNode& node, double lowest, double highest) {
    return node.numberOrNull(lowest, highest).value_or(kNaN);
}

std::optional<std::array<double, 2>> readInterval(const JsonNode& node, double lowest) {
    if (node.isNull()) {
        return std::nullopt;
    }
    const std::vector<double> ends = node.numbers(lowest, kLargestNumber, 2);
    if (ends.size() != 2) {
        node.complain("it does not hold two numbers");
        return std::nullopt;
    }
    return std::array{ends[0], ends[1]};
}

Summary readSummary(const JsonNode& node) {
    Summary summary;
    summary.mean = numberOrNaN(node.at("mean"), 0.0, kLargestNumber);
    summary.sd = numberOrNaN(node.at("sd"), 0.0, kLargestNumber);
    summary.sdTrue = node.at("sdTrue").numberOrNull(0.0, kLargestNumber);
    summary.ci95 = readInterval(node.at("ci95"), -kLargestNumber);
    for (const auto& [name, target] :
         {std::pair{"min", &summary.min}, std::pair{"p1", &summary.p1},
          std::pair{"p5", &summary.p5}, std::pair{"p25", &summary.p25},
          std::pair{"p50", &summary.p50}, std::pair{"p75", &summary.p75},
          std::pair{"p95", &summary.p95}, std::pair{"p99", &summary.p99},
          std::pair{"max", &summary.max}}) {
        *target = numberOrNaN(node.at(name), 0.0, kLargestNumber);
    }
    return summary;
}

std::optional<Summary> findSummary(const JsonNode& node, std::string_view key) {
    const auto member = node.find(key);
    return member ? std::optional(readSummary(*member)) : std::nullopt;
}

std::optional<calibration::Deniability> findDeniability(const JsonNode& node) {
    const auto member = node.find("deniability");
    if (!member) {
        return std::nullopt;
    }
    calibration::Deniability deniability;
    deniability.odds = member->at("odds").number(1.0, kLargestNumber);
    deniability.words = member->at("words").integer(0, kLargestRow);
    deniability.share = numberOrNaN(member->at("share"), 0.0, 1.0);
    deniability.sizes = readSummary(*member);
    return deniability;
}

std::optional<calibration::WorstWords> findRerun(const JsonNode& cell) {
    const auto member = cell.find("worst");
    if (!member) {
        return std::nullopt;
    }
    constexpr std::int64_t kMostRerunDraws = 1'000'000'000;
    calibration::WorstWords worst;
    worst.draws = static_cast<int>(member->at("draws").integer(1, kMostRerunDraws));
    for (const JsonNode& node : member->at("words").items(kMostPairs)) {
        calibration::RerunWord word;
        word.word = node.at("word").text(kLongestText);
        word.row = static_cast<embedding::Row>(node.at("row").integer(0, kLargestRow));
        word.nw = node.at("nw").number(0.0, kLargestNumber);
        word.kept = node.at("kept").integer(0, worst.draws);
        worst.words.push_back(std::move(word));
    }
    return worst;
}

double lambdaOf(const JsonNode& node) {
    return node.at("lambda").numberOrNull(0.0, 1.0).value_or(0.0);
}

Cell readCell(const JsonNode& node) {
    Cell cell;
    cell.epsilon = node.at("epsilon").number(kLeastNumber, kLargestNumber);
    cell.lambda = lambdaOf(node);
    cell.gamma = node.at("gamma").numberOrNull(0.0, kLargestNumber);
    cell.beta = node.at("beta").numberOrNull(kLeastNumber, 1.0);
    cell.nw = readSummary(node.at("nw"));
    cell.sw = readSummary(node.at("sw"));
    cell.minEntropy = readSummary(node.at("minEntropy"));
    cell.shannonEntropy = readSummary(node.at("shannonEntropy"));
    cell.hartleyEntropy = readSummary(node.at("hartleyEntropy"));
    cell.kw = findSummary(node, "kw");
    cell.kwFarther = findSummary(node, "kwFarther");
    cell.deniability = findDeniability(node);
    cell.worst = findRerun(node);
    cell.kept = node.at("kept").number(0.0, 1.0);
    cell.near = node.at("near").number(0.0, 1.0);
    cell.far = node.at("far").number(0.0, 1.0);
    cell.meanDistance = numberOrNaN(node.at("meanDistance"), 0.0, kLargestNumber);
    cell.meanCosine = node.at("meanCosine").numberOrNull(-1.0 - 1e-6, 1.0 + 1e-6);
    cell.coverage = node.at("coverage").numberOrNull(0.0, 1.0);
    if (const auto error = node.find("relativeError")) {
        cell.relativeError = error->number(0.0, kLargestNumber);
    }
    return cell;
}

Result<metric::Metric> metricNamed(std::string_view name) {
    for (const auto metric : {metric::Metric::euclidean, metric::Metric::mahalanobis,
                              metric::Metric::angular, metric::Metric::poincare}) {
        if (metricName(metric) == name) {
            return metric;
        }
    }
    return fail(ErrorCode::badFile, fmt::format("the metric \"{}\" is unknown", name));
}

mechanism::Guarantee readGuarantee(const JsonNode& node) {
    mechanism::Guarantee guarantee;
    guarantee.epsilon = node.at("epsilon").number(kLeastNumber, kLargestNumber);
    guarantee.lambda = lambdaOf(node);
    guarantee.gamma = node.at("gamma").numberOrNull(0.0, kLargestNumber);
    guarantee.metric = node.at("metric").parsed(guarantee.metric, metricNamed);
    guarantee.bound = node.at("bound").numberOrNull(0.0, kLargestNumber);
    guarantee.cap = node.at("cap").numberOrNull(0.0, kLargestNumber);
    guarantee.statement = node.at("statement").text(kLongestText);
    guarantee.scope = node.at("scope").text(kLongestText);
    if (const auto factors = node.find("euclidean")) {
        guarantee.euclidean = readInterval(*factors, 0.0);
    }
    return guarantee;
}

bool isDigest(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

calibration::EmbeddingDescription readEmbedding(const JsonNode& node) {
    calibration::EmbeddingDescription embedding;
    embedding.file = node.at("file").text(kLongestPath);
    embedding.sha256 = node.at("sha256").text(64);
    if (!isDigest(embedding.sha256)) {
        node.at("sha256").complain("it does not consist of 64 lower-case hexadecimal digits");
    }
    embedding.format = node.at("format").text(kLongestText);
    embedding.words = node.at("words").integer(1, kLargestRow);
    embedding.dimensions = node.at("dimensions").integer(1, kLargestRow);
    embedding.badLines = node.at("skipped").at("badLines").integer(0, kLargestInteger);
    embedding.duplicates = node.at("skipped").at("duplicates").integer(0, kLargestInteger);
    if (const auto limit = node.find("limitedTo")) {
        embedding.limitedTo = limit->integer(1, kLargestInteger);
    }
    if (const auto vocabulary = node.find("vocabulary")) {
        embedding.vocabulary = {vocabulary->at("kept").integer(0, kLargestInteger),
                                vocabulary->at("missing").integer(0, kLargestInteger)};
    }
    if (const auto shared = node.find("sharedVectors")) {
        embedding.sharedVectors = {shared->at("words").integer(0, embedding.words),
                                   shared->at("groups").integer(0, embedding.words)};
    }
    return embedding;
}

void readMechanism(const JsonNode& node, CalibrationSummary& summary) {
    mechanism::Parameters parameters;
    parameters.metric = node.at("metric").parsed(metric::Metric::euclidean, metricNamed);
    if (const auto law = node.find("noise")) {
        parameters.law = law->parsed(mechanism::RadialLaw::riemannian, mechanism::parseRadialLaw);
    }
    if (const auto placement = node.find("placement")) {
        parameters.placement =
            placement->parsed(mechanism::Placement::mobius, mechanism::parsePlacement);
    }
    summary.grid.mechanism = node.at("name").parsed(
        summary.grid.mechanism,
        [&](std::string_view name) { return mechanism::Mechanism::named(name, parameters); });
    if (node.at("exact").boolean() != summary.isExact()) {
        node.at("exact").complain("it does not fit the mechanism");
    }
}

void readRun(const JsonNode& node, CalibrationSummary& summary, calibration::RunDescription& run) {
    constexpr int kMostThreads = 1 << 20;
    summary.words = node.at("words").integer(1, kLargestRow);
    summary.draws = static_cast<int>(node.at("draws").integer(1, 1'000'000));
    summary.seed = static_cast<std::uint64_t>(node.at("seed").integer(0, kLargestInteger));
    summary.threads = static_cast<int>(node.at("threads").integer(0, kMostThreads));
    summary.blockSize = node.at("blockSize").integer(0, kLargestRow);
    summary.partial = node.at("partial").boolean();
    summary.substitutions = node.at("substitutions").integer(0, kLargestInteger);
    run.loadSeconds = node.at("seconds").at("load").number(0.0, kLargestNumber);
    run.prepareSeconds = node.at("seconds").at("prepare").number(0.0, kLargestNumber);
    summary.seconds = node.at("seconds").at("calibrate").number(0.0, kLargestNumber);
    run.peakMemoryMiB = node.at("peakMemoryMiB").integer(0, kLargestInteger);
    summary.wordsAsked = node.at("wordsAsked").integer(1, kLargestRow);
    summary.nearNeighbours = static_cast<int>(node.at("nearNeighbours").integer(0, kLargestRow));
    if (const auto independent = node.find("independentDraws")) {
        summary.independentDraws = independent->boolean();
    }
    run.selection = findSelection(node);
}

std::vector<calibration::WordValue> readWorstWords(const JsonNode& cell) {
    std::vector<calibration::WordValue> words;
    for (const JsonNode& node : cell.at("worstWords").items(calibration::RunDetails::kWorstWords)) {
        calibration::WordValue value;
        value.word = node.at("word").text(kLongestText);
        value.row = static_cast<embedding::Row>(node.at("row").integer(0, kLargestRow));
        value.nw = node.at("nw").number(0.0, kLargestNumber);
        value.sw = node.at("sw").number(0.0, kLargestNumber);
        words.push_back(std::move(value));
    }
    return words;
}

std::vector<calibration::PairDistance> readPairs(const JsonNode& document) {
    std::vector<calibration::PairDistance> pairs;
    for (const JsonNode& node : document.at("pairs").items(kMostPairs)) {
        const std::vector<JsonNode> words = node.at("words").items(2);
        if (words.size() != 2) {
            node.at("words").complain("it does not hold two words");
            break;
        }
        pairs.push_back({words[0].text(kLongestText), words[1].text(kLongestText), lambdaOf(node),
                         node.at("distance").number(0.0, kLargestNumber)});
    }
    return pairs;
}

void appendNew(std::vector<double>& values, double value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
    }
}

/// The grid as its cells tell it.
void gatherGrid(CalibrationSummary& summary) {
    summary.grid.lambdas.clear();
    summary.grid.betas.clear();
    for (const Cell& cell : summary.cells) {
        appendNew(summary.grid.epsilons, cell.epsilon);
        appendNew(summary.grid.lambdas, cell.lambda);
        if (cell.beta) {
            appendNew(summary.grid.betas, *cell.beta);
        } else if (cell.gamma) {
            appendNew(summary.grid.gammas, *cell.gamma);
        }
    }
}

void readCells(const JsonNode& document, CalibrationSummary& summary,
               calibration::RunDescription& run) {
    const std::vector<JsonNode> cells = document.at("cells").items(kMostCells);
    const std::vector<JsonNode> guarantees = document.at("guarantee").items(kMostCells);
    if (cells.empty() || cells.size() != guarantees.size()) {
        document.at("cells").complain(fmt::format(
            "there are {} of them with {} guarantees; there must be as many, and at least one",
            cells.size(), guarantees.size()));
    }
    for (const JsonNode& cell : cells) {
        summary.cells.push_back(readCell(cell));
        if (run.details) {
            run.details->worstWords.push_back(readWorstWords(cell));
        }
    }
    for (const JsonNode& guarantee : guarantees) {
        summary.guarantees.push_back(readGuarantee(guarantee));
    }
    gatherGrid(summary);
}

void readPicture(const JsonNode& document, std::size_t cells, calibration::RunDescription& run) {
    const auto plane = document.find("plane");
    if (!plane || !run.details) {
        return;
    }
    calibration::PlanePicture picture = readPlane(*plane);
    if (picture.settings.size() != cells) {
        plane->complain(fmt::format("it shows {} settings of {}", picture.settings.size(), cells));
        return;
    }
    run.details->plane = std::move(picture);
}

}  // namespace

std::optional<calibration::SelectionDescription> findSelection(const JsonNode& run) {
    const auto member = run.find("selection");
    if (!member) {
        return std::nullopt;
    }
    calibration::SelectionDescription selection;
    selection.words = member->at("words").text(kLongestPath);
    if (const auto data = member->find("data")) {
        selection.dataFile = data->at("file").text(kLongestPath);
        if (const auto column = data->find("column")) {
            selection.dataColumn = column->text(kLongestText);
        }
        selection.dataRecords = data->at("records").integer(0, kLargestInteger);
        if (const auto format = data->find("format")) {
            selection.dataFormat = format->parsed(selection.dataFormat, io::parseRecordFormat);
        }
        if (const auto letterCase = data->find("case")) {
            selection.letterCase = letterCase->parsed(selection.letterCase, text::parseCasePolicy);
        }
    }
    return selection;
}

void checkSchema(const JsonNode& document, std::string_view schema) {
    const JsonNode node = document.at("schema");
    const std::string found = node.text(1000);
    if (found == schema) {
        return;
    }
    const std::string_view family = schema.substr(0, schema.find('/') + 1);
    node.complain(std::string_view(found).starts_with(family)
                      ? fmt::format("this program reads {}, the file is {}; a newer version of "
                                    "Epsilens made it",
                                    schema, found)
                      : fmt::format("it is \"{}\" instead of \"{}\"", found, schema));
}

CalibrationRecord readCalibration(const JsonNode& document) {
    CalibrationRecord record;
    CalibrationSummary summary;
    checkSchema(document, kCalibrationSchema);
    record.run.version = document.at("version").text(kLongestText);
    record.run.embedding = readEmbedding(document.at("embedding"));
    readMechanism(document.at("mechanism"), summary);
    readRun(document.at("run"), summary, record.run);
    if (const auto repeat = document.find("repeat")) {
        record.run.details =
            calibration::RunDetails{readRequest(*repeat), {}, readPairs(document), {}};
    }
    readCells(document, summary, record.run);
    readPicture(document, summary.cells.size(), record.run);
    record.summary = std::make_shared<const CalibrationSummary>(std::move(summary));
    return record;
}

Result<CalibrationRecord> readCalibration(std::string_view json) {
    ASSIGN_OR_RETURN(const auto document, parseDocument(json));
    std::optional<Error> problem;
    CalibrationRecord record = readCalibration(JsonNode(document, {}, problem));
    if (problem) {
        return tl::unexpected(std::move(*problem));
    }
    return record;
}

}  // namespace epsilens::document
