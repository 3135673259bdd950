#include "core/report/info_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/markup_text.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::DensityFigures;
using document::jsonNumber;
using document::jsonOrNull;
using embedding::LoadReport;
using embedding::PreparedEmbedding;
using embedding::Row;
using embedding::SkippedRows;
using nlohmann::ordered_json;

struct SkipReason {
    const char* key;
    const char* text;
    const SkippedRows LoadReport::*rows;
};

constexpr SkipReason kSkipReasons[] = {
    {"wrongLength", "wrong number of values", &LoadReport::wrongLength},
    {"notFinite", "NaN or infinite values", &LoadReport::notFinite},
    {"invalidText", "word is not UTF-8, or has a control character", &LoadReport::invalidText},
    {"emptyWords", "empty word", &LoadReport::emptyWords},
    {"duplicates", "duplicate word", &LoadReport::duplicates},
};

std::string four(double value) {
    return formatSignificant(value, 4);
}

/// At most three of the rows that are much longer than others, from the longest down.
std::vector<Row> longestRows(const PreparedEmbedding& prepared) {
    constexpr std::size_t kNamed = 3;
    const std::vector<Row>& rising = prepared.outlying.rows;
    return {rising.rbegin(),
            rising.rbegin() + static_cast<std::ptrdiff_t>(std::min(kNamed, rising.size()))};
}

/// Nothing when all vectors are equal.
std::optional<double> usableLambda(const PreparedEmbedding& prepared) {
    return prepared.basis.rank() > 0 ? std::optional(mechanism::largestUsableLambda(prepared.basis))
                                     : std::nullopt;
}

std::vector<Row> allRows(const InfoDensity& density) {
    std::vector<Row> rows(density.profile.distances.size());
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

ordered_json jsonWords(const InfoReport& info, const std::vector<Row>& rows) {
    const embedding::Vocabulary& vocabulary = info.prepared.vocabulary();
    const calibration::DensityProfile& profile = info.density->profile;
    ordered_json json = ordered_json::array();
    for (const Row row : rows) {
        const auto index = static_cast<std::size_t>(row);
        json.push_back({{"word", vocabulary.word(row)},
                        {"distance", jsonNumber(profile.distances[index])},
                        {"nearest", vocabulary.word(profile.nearest[index])}});
    }
    return json;
}

ordered_json jsonPart(const InfoReport& info, const std::vector<Row>& rows) {
    const DensityFigures figures = calibration::densityFigures(info.density->profile, rows);
    ordered_json json{{"words", rows.size()},
                      {"min", jsonNumber(figures.least)},
                      {"max", jsonNumber(figures.largest)},
                      {"maxOverMin", jsonNumber(figures.spread())},
                      {"mean", jsonNumber(figures.distances.mean)},
                      {"p5", jsonNumber(figures.distances.p5)},
                      {"p50", jsonNumber(figures.distances.p50)},
                      {"p95", jsonNumber(figures.distances.p95)},
                      {"extremeWords", figures.sparsest.size()},
                      {"sparsestMean", jsonNumber(figures.meanOfSparsest)},
                      {"densestMean", jsonNumber(figures.meanOfDensest)},
                      {"sparsestOverDensest", jsonNumber(figures.extremesRatio())}};
    if (const auto& data = info.density->data) {
        json["sparsestShareOfRecords"] = jsonNumber(data->meanShareOfRecords(figures.sparsest));
        json["recordsWithSparsest"] = jsonNumber(data->shareOfRecordsWithAny(figures.sparsest));
    }
    json["sparsest"] = jsonWords(info, figures.sparsest);
    json["densest"] = jsonWords(info, figures.densest);
    return json;
}

ordered_json jsonDensity(const InfoReport& info) {
    ordered_json json{{"metric", mechanism::metricName(mechanism::Metric::euclidean)},
                      {"distinctVectors", info.density->distinctVectors}};
    json.update(jsonPart(info, allRows(*info.density)));
    json["seconds"] = jsonNumber(info.density->seconds);
    json["data"] = nullptr;
    if (const auto& data = info.density->data) {
        const std::vector<Row> words = data->words();
        json["data"] = {{"file", data->file},
                        {"column", jsonOrNull(data->column)},
                        {"records", data->records()},
                        {"skippedRecords", data->skippedRecords},
                        {"tokens", data->tokens()},
                        {"unknownTokens", data->unknownTokens()},
                        {"density", words.empty() ? ordered_json(nullptr) : jsonPart(info, words)}};
    }
    return json;
}

std::string wordsText(const InfoReport& info, const std::vector<Row>& rows) {
    constexpr std::size_t kShown = 10;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(rows.size(), kShown); ++i) {
        const double distance = info.density->profile.distances[static_cast<std::size_t>(rows[i])];
        shown.push_back(fmt::format("{} ({})", info.prepared.vocabulary().word(rows[i]),
                                    formatSignificant(distance, 3)));
    }
    return fmt::format("{}{}", fmt::join(shown, ", "), rows.size() > kShown ? ", …" : "");
}

void addPart(Facts& facts, const std::string& whose, const InfoReport& info,
             const std::vector<Row>& rows) {
    const DensityFigures figures = calibration::densityFigures(info.density->profile, rows);
    const auto& data = info.density->data;
    const auto percent = [](double share) { return formatSignificant(100.0 * share, 2) + "%"; };
    facts.items.insert(
        facts.items.end(),
        {{whose,
          fmt::format("{} words: {} min, {} median, {} max; max/min {}",
                      formatCount(std::ssize(rows)), four(figures.least),
                      four(figures.distances.p50), four(figures.largest), four(figures.spread()))},
         {"  sparsest/densest",
          fmt::format("mean of {} words each: {} / {} = {}", figures.sparsest.size(),
                      four(figures.meanOfSparsest), four(figures.meanOfDensest),
                      four(figures.extremesRatio()))},
         {"  sparsest words", wordsText(info, figures.sparsest)},
         {"  densest words", wordsText(info, figures.densest)},
         {"  in the records",
          data ? fmt::format("a sparsest word stands in {} of the records on average; {} of the "
                             "records hold any of the {}",
                             percent(data->meanShareOfRecords(figures.sparsest)),
                             percent(data->shareOfRecordsWithAny(figures.sparsest)),
                             figures.sparsest.size())
               : ""}});
}

void addDensity(Facts& facts, const InfoReport& info) {
    addPart(facts, "nearest distance", info, allRows(*info.density));
    const auto& data = info.density->data;
    if (!data) {
        return;
    }
    facts.items.emplace_back(
        "data set",
        fmt::format("{}{}{}: {} records{}, {} words, {} of them unknown", data->file,
                    data->column.empty() ? "" : ", column ", data->column,
                    formatCount(data->records()),
                    data->skippedRecords == 0
                        ? ""
                        : fmt::format(" ({} skipped)", formatCount(data->skippedRecords)),
                    formatCount(data->tokens()), formatCount(data->unknownTokens())));
    if (const std::vector<Row> words = data->words(); !words.empty()) {
        addPart(facts, "distance of its words", info, words);
    }
}

std::string lengthText(double norm) {
    constexpr double kLeastWhole = 1000.0;
    constexpr double kMostWhole = 1e15;
    return norm >= kLeastWhole && norm < kMostWhole ? formatCount(std::llround(norm))
                                                    : formatSignificant(norm, 3);
}

}  // namespace

std::string outlyingRowsText(const PreparedEmbedding& prepared) {
    std::vector<std::string> parts;
    for (const Row row : longestRows(prepared)) {
        parts.push_back(
            fmt::format("row {}, word \"{}\": length {}, median {}: a missing decimal point?",
                        formatCount(row + 1), printable(prepared.vocabulary().word(row)),
                        lengthText(std::sqrt(prepared.squaredNorms[row])),
                        lengthText(prepared.outlying.median)));
    }
    if (const auto others = std::ssize(prepared.outlying.rows) - std::ssize(parts); others > 0) {
        parts.push_back(fmt::format("and {} more above 20 times the median", formatCount(others)));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string reasonsText(const std::vector<std::pair<const char*, SkippedRows>>& reasons) {
    std::vector<std::string> texts;
    for (const auto& [reason, rows] : reasons) {
        std::vector<std::string> places;
        for (const std::int64_t position : rows.firstPositions) {
            places.push_back(formatCount(position));
        }
        if (rows.count > 0) {
            texts.push_back(fmt::format("{} {} (at {}{})", reason, formatCount(rows.count),
                                        fmt::join(places, ", "),
                                        std::ssize(places) < rows.count ? ", …" : ""));
        }
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string skippedRowsText(const LoadReport& report) {
    std::vector<std::pair<const char*, SkippedRows>> reasons;
    std::int64_t total = 0;
    for (const SkipReason& reason : kSkipReasons) {
        reasons.emplace_back(reason.text, report.*reason.rows);
        total += reasons.back().second.count;
    }
    if (total == 0) {
        return {};
    }
    return fmt::format(
        "{} skipped: {}{}", counted(total, "row", "rows"), reasonsText(reasons),
        report.endsWithinRow ? "; the last line has no line end: the file may be cut off" : "");
}

ordered_json infoJson(const InfoReport& info) {
    const PreparedEmbedding& prepared = info.prepared;
    const LoadReport& load = prepared.embedding.report;
    const embedding::PcaBasis& basis = prepared.basis;
    const VectorD norms = prepared.squaredNorms.cwiseSqrt();
    ordered_json json{{"schema", "epsilens.info/1"},
                      {"version", info.provenance.version},
                      {"embedding", document::jsonEmbedding(info.provenance.embedding)}};
    json["embedding"]["compression"] = jsonOrNull(load.compression);
    json["embedding"]["fileBytes"] = load.fileBytes;
    for (const SkipReason& reason : kSkipReasons) {
        const SkippedRows& rows = load.*reason.rows;
        json["skippedRows"][reason.key] = {{"count", rows.count},
                                           {"firstPositions", rows.firstPositions}};
    }
    json["identicalVectors"] = {{"classes", prepared.duplicates.classes},
                                {"extraRows", prepared.duplicates.extraRows}};
    json["norms"] = {{"min", jsonNumber(norms.minCoeff())},
                     {"mean", jsonNumber(norms.mean())},
                     {"max", jsonNumber(norms.maxCoeff())}};
    if (!prepared.outlying.rows.empty()) {
        ordered_json& outlying =
            json["outlyingRows"] = {{"count", prepared.outlying.rows.size()},
                                    {"medianNorm", jsonNumber(prepared.outlying.median)},
                                    {"longest", ordered_json::array()}};
        for (const Row row : longestRows(prepared)) {
            outlying["longest"].push_back({{"row", row + 1},
                                           {"word", prepared.vocabulary().word(row)},
                                           {"norm", jsonNumber(norms[row])}});
        }
    }
    json["covariance"] = {{"rank", basis.rank()},
                          {"eigenvalueMin", jsonNumber(basis.spectrum.minCoeff())},
                          {"eigenvalueMax", jsonNumber(basis.spectrum.maxCoeff())},
                          {"totalVariance", jsonNumber(basis.totalVariance)},
                          {"largestUsableLambda", jsonNumber(usableLambda(prepared))}};
    json["epsilonRange"] = nullptr;
    if (const auto& range = info.epsilonRange) {
        json["epsilonRange"] = {{"mechanism", mechanism::Laplace::kName},
                                {"suggested", jsonNumber(range->suggested)},
                                {"low", jsonNumber(range->low)},
                                {"high", jsonNumber(range->high)},
                                {"words", range->words}};
    }
    if (info.density) {
        json["density"] = jsonDensity(info);
    }
    json["partial"] = info.partial;
    json["seconds"] = {{"load", jsonNumber(info.provenance.loadSeconds)},
                       {"prepare", jsonNumber(info.provenance.prepareSeconds)}};
    json["peakMemoryMiB"] = info.provenance.peakMemoryMiB;
    return json;
}

Facts embeddingFacts(const PreparedEmbedding& prepared) {
    const calibration::EmbeddingDescription file = calibration::provenanceOf(prepared).embedding;
    const LoadReport& load = prepared.embedding.report;
    const embedding::DuplicateClasses& duplicates = prepared.duplicates;
    const embedding::PcaBasis& basis = prepared.basis;
    const VectorD norms = prepared.squaredNorms.cwiseSqrt();
    const std::string skipped = skippedRowsText(load);
    const auto lambda = usableLambda(prepared);
    return {
        {{"format", joined({file.format, load.compression}, ", ")},
         {"size", fmt::format("{} bytes", formatCount(load.fileBytes))},
         {"words", formatCount(file.words)},
         {"dimensions", formatCount(file.dimensions)},
         {"skipped rows", skipped.empty() ? "none" : skipped},
         {"limited to",
          file.limitedTo ? fmt::format("the first {} rows", formatCount(*file.limitedTo)) : ""},
         {"vocabulary", file.vocabulary ? fmt::format("{} words kept, {} not in the file",
                                                      formatCount(file.vocabulary->kept),
                                                      formatCount(file.vocabulary->missing))
                                        : ""},
         {"equal vectors",
          duplicates.classes == 0
              ? "none"
              : fmt::format("{} group(s), {} row(s) beyond the first of their group",
                            formatCount(duplicates.classes), formatCount(duplicates.extraRows))},
         {"norms", fmt::format("{} min, {} mean, {} max", four(norms.minCoeff()),
                               four(norms.mean()), four(norms.maxCoeff()))},
         {"covariance", fmt::format("rank {}; eigenvalues ξ from {} to {} (scaled to mean 1)",
                                    formatCount(basis.rank()), four(basis.spectrum.minCoeff()),
                                    four(basis.spectrum.maxCoeff()))},
         {"largest λ",
          lambda ? formatNumber(*lambda) : "none: all vectors are equal, their covariance is 0"},
         {"outlying rows", outlyingRowsText(prepared)}}};
}

std::string infoText(const InfoReport& info) {
    Facts facts = embeddingFacts(info.prepared);
    facts.items.emplace(facts.items.begin() + 2, "SHA-256", info.provenance.embedding.sha256);
    if (const auto& range = info.epsilonRange) {
        facts.items.emplace_back(
            "ε of interest",
            fmt::format("{} to {}, {} to start with (Laplace, {} random words)",
                        formatSignificant(range->low, 2), formatSignificant(range->high, 2),
                        formatNumber(range->suggested), formatCount(range->words)));
    }
    if (info.density) {
        addDensity(facts, info);
    }
    facts.items.emplace_back(
        "partial", info.partial ? "interrupted; what is not listed was not computed" : "");
    return reportText({info.provenance.embedding.file, {{"", "", {std::move(facts)}}}});
}

}  // namespace epsilens::report
