#include "core/report/info_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/markup_text.h"
#include "core/report/report_text.h"

namespace epsilens::report {
namespace {

using document::jsonNumber;
using embedding::LoadReport;
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

DensityReport::Part describePart(const calibration::DensityProfile& profile,
                                 const embedding::Vocabulary& vocabulary,
                                 const std::vector<Row>& rows,
                                 const std::optional<text::DataSetWords>& data) {
    DensityReport::Part part;
    part.words = static_cast<std::int64_t>(rows.size());
    part.figures = calibration::densityFigures(profile, rows);
    for (const auto& [extreme, named] : {std::pair(&part.figures.sparsest, &part.sparsest),
                                         std::pair(&part.figures.densest, &part.densest)}) {
        for (const Row row : *extreme) {
            const auto index = static_cast<std::size_t>(row);
            named->push_back({std::string(vocabulary.word(row)), profile.distances[index],
                              std::string(vocabulary.word(profile.nearest[index]))});
        }
    }
    if (data) {
        part.meanShareOfRecords = data->meanShareOfRecords(part.figures.sparsest);
        part.shareOfRecordsWithAny = data->shareOfRecordsWithAny(part.figures.sparsest);
    }
    return part;
}

ordered_json jsonWords(const std::vector<DensityReport::Word>& words) {
    ordered_json json = ordered_json::array();
    for (const DensityReport::Word& word : words) {
        json.push_back({{"word", word.word},
                        {"distance", jsonNumber(word.distance)},
                        {"nearest", word.nearest}});
    }
    return json;
}

ordered_json jsonPart(const DensityReport::Part& part) {
    const calibration::DensityFigures& figures = part.figures;
    ordered_json json{{"words", part.words},
                      {"min", jsonNumber(figures.least)},
                      {"max", jsonNumber(figures.largest)},
                      {"maxOverMin", jsonNumber(figures.spread())},
                      {"mean", jsonNumber(figures.distances.mean)},
                      {"p5", jsonNumber(figures.distances.p5)},
                      {"p50", jsonNumber(figures.distances.p50)},
                      {"p95", jsonNumber(figures.distances.p95)},
                      {"extremeWords", part.sparsest.size()},
                      {"sparsestMean", jsonNumber(figures.meanOfSparsest)},
                      {"densestMean", jsonNumber(figures.meanOfDensest)},
                      {"sparsestOverDensest", jsonNumber(figures.extremesRatio())}};
    if (part.meanShareOfRecords) {
        json["sparsestShareOfRecords"] = jsonNumber(part.meanShareOfRecords);
        json["recordsWithSparsest"] = jsonNumber(part.shareOfRecordsWithAny);
    }
    json["sparsest"] = jsonWords(part.sparsest);
    json["densest"] = jsonWords(part.densest);
    return json;
}

ordered_json jsonDensity(const DensityReport& density) {
    ordered_json json{{"metric", mechanism::metricName(mechanism::Metric::euclidean)},
                      {"distinctVectors", density.distinctVectors}};
    json.update(jsonPart(density.vocabulary));
    json["seconds"] = jsonNumber(density.seconds);
    json["data"] = nullptr;
    if (const auto& data = density.data) {
        json["data"] = {
            {"file", data->file},
            {"column", data->column.empty() ? ordered_json(nullptr) : ordered_json(data->column)},
            {"records", data->records},
            {"skippedRecords", data->skippedRecords},
            {"tokens", data->tokens},
            {"unknownTokens", data->unknownTokens},
            {"density", data->words ? jsonPart(*data->words) : ordered_json(nullptr)}};
    }
    return json;
}

std::string wordsText(const std::vector<DensityReport::Word>& words) {
    constexpr std::size_t kShown = 10;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(words.size(), kShown); ++i) {
        shown.push_back(
            fmt::format("{} ({})", words[i].word, formatSignificant(words[i].distance, 3)));
    }
    return fmt::format("{}{}", fmt::join(shown, ", "), words.size() > kShown ? ", …" : "");
}

void addPart(Facts& facts, const std::string& whose, const DensityReport::Part& part) {
    const calibration::DensityFigures& figures = part.figures;
    const auto percent = [](double share) { return formatSignificant(100.0 * share, 2) + "%"; };
    facts.items.insert(
        facts.items.end(),
        {{whose,
          fmt::format("{} words: {} min, {} median, {} max; max/min {}", formatCount(part.words),
                      four(figures.least), four(figures.distances.p50), four(figures.largest),
                      four(figures.spread()))},
         {"  sparsest/densest",
          fmt::format("mean of {} words each: {} / {} = {}", part.sparsest.size(),
                      four(figures.meanOfSparsest), four(figures.meanOfDensest),
                      four(figures.extremesRatio()))},
         {"  sparsest words", wordsText(part.sparsest)},
         {"  densest words", wordsText(part.densest)},
         {"  in the records",
          part.meanShareOfRecords
              ? fmt::format("a sparsest word stands in {} of the records on average; {} of the "
                            "records hold any of the {}",
                            percent(*part.meanShareOfRecords), percent(*part.shareOfRecordsWithAny),
                            part.sparsest.size())
              : ""}});
}

void addDensity(Facts& facts, const DensityReport& density) {
    addPart(facts, "nearest distance", density.vocabulary);
    const auto& data = density.data;
    if (!data) {
        return;
    }
    facts.items.emplace_back(
        "data set",
        fmt::format("{}{}{}: {} records{}, {} words, {} of them unknown", data->file,
                    data->column.empty() ? "" : ", column ", data->column,
                    formatCount(data->records),
                    data->skippedRecords == 0
                        ? ""
                        : fmt::format(" ({} skipped)", formatCount(data->skippedRecords)),
                    formatCount(data->tokens), formatCount(data->unknownTokens)));
    if (data->words) {
        addPart(facts, "distance of its words", *data->words);
    }
}

std::string lengthText(double norm) {
    constexpr double kLeastWhole = 1000.0;
    constexpr double kMostWhole = 1e15;
    return norm >= kLeastWhole && norm < kMostWhole ? formatCount(std::llround(norm))
                                                    : formatSignificant(norm, 3);
}

}  // namespace

DensityReport describeDensity(const calibration::DensityProfile& profile,
                              const engine::SearchSpace& space,
                              const std::optional<text::DataSetWords>& data, double seconds) {
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    std::vector<Row> all(profile.distances.size());
    std::iota(all.begin(), all.end(), 0);
    DensityReport density{
        describePart(profile, vocabulary, all, data), space.positions(), seconds, {}};
    if (data) {
        density.data = DensityReport::Data{
            data->file,     data->column,          data->records(), data->skippedRecords,
            data->tokens(), data->unknownTokens(), std::nullopt};
        if (const std::vector<Row> words = data->words(); !words.empty()) {
            density.data->words = describePart(profile, vocabulary, words, data);
        }
    }
    return density;
}

OutlyingRows outlyingRows(const embedding::PreparedEmbedding& prepared) {
    constexpr std::size_t kNamed = 3;
    const embedding::OutlyingNorms& outlying = prepared.outlying;
    OutlyingRows rows{static_cast<std::int64_t>(outlying.rows.size()), outlying.median, {}};
    for (auto row = outlying.rows.rbegin();
         row != outlying.rows.rend() && rows.longest.size() < kNamed; ++row) {
        rows.longest.push_back({*row + 1, std::string(prepared.vocabulary().word(*row)),
                                std::sqrt(prepared.squaredNorms[*row])});
    }
    return rows;
}

std::string outlyingRowsText(const OutlyingRows& rows) {
    std::vector<std::string> parts;
    for (const OutlyingRows::Named& named : rows.longest) {
        parts.push_back(
            fmt::format("row {}, word \"{}\": length {}, median {}: a missing decimal point?",
                        formatCount(named.row), printable(named.word), lengthText(named.norm),
                        lengthText(rows.median)));
    }
    if (const auto others = rows.count - std::ssize(rows.longest); others > 0) {
        parts.push_back(fmt::format("and {} more above 20 times the median", formatCount(others)));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string skippedRowsText(const LoadReport& report) {
    std::vector<std::string> reasons;
    std::int64_t total = 0;
    for (const SkipReason& reason : kSkipReasons) {
        const SkippedRows& rows = report.*reason.rows;
        total += rows.count;
        if (rows.count > 0) {
            std::vector<std::string> places;
            for (const std::int64_t position : rows.firstPositions) {
                places.push_back(formatCount(position));
            }
            reasons.push_back(fmt::format("{} {} (at {}{})", reason.text, formatCount(rows.count),
                                          fmt::join(places, ", "),
                                          std::ssize(places) < rows.count ? ", …" : ""));
        }
    }
    if (total == 0) {
        return report.endsWithinRow ? "none skipped; the last line has no line end and a short "
                                      "last number: the file may be cut off"
                                    : "";
    }
    return fmt::format(
        "{} {} skipped: {}{}", formatCount(total), total == 1 ? "row" : "rows",
        fmt::join(reasons, ", "),
        report.endsWithinRow ? "; the last line has no line end: the file may be cut off" : "");
}

InfoReport describeInfo(const embedding::PreparedEmbedding& prepared,
                        const std::optional<engine::EpsilonRange>& epsilonRange) {
    const VectorD norms = prepared.squaredNorms.cwiseSqrt();
    const embedding::PcaBasis& basis = prepared.basis;
    InfoReport info;
    info.provenance = calibration::provenanceOf(prepared);
    info.load = prepared.embedding.report;
    info.duplicateClasses = prepared.duplicates.classes;
    info.duplicateRows = prepared.duplicates.extraRows;
    info.normMin = norms.minCoeff();
    info.normMean = norms.mean();
    info.normMax = norms.maxCoeff();
    info.outlying = outlyingRows(prepared);
    info.rank = basis.rank();
    info.eigenvalueMin = basis.spectrum.minCoeff();
    info.eigenvalueMax = basis.spectrum.maxCoeff();
    info.totalVariance = basis.totalVariance;
    if (info.rank > 0) {
        info.largestUsableLambda = mechanism::largestUsableLambda(basis);
    }
    info.epsilonRange = epsilonRange;
    return info;
}

ordered_json infoJson(const InfoReport& info) {
    ordered_json json{{"schema", "epsilens.info/1"},
                      {"version", info.provenance.version},
                      {"embedding", document::jsonEmbedding(info.provenance.embedding)}};
    json["embedding"]["compression"] =
        info.load.compression.empty() ? ordered_json(nullptr) : ordered_json(info.load.compression);
    json["embedding"]["fileBytes"] = info.load.fileBytes;
    for (const SkipReason& reason : kSkipReasons) {
        const SkippedRows& rows = info.load.*reason.rows;
        json["skippedRows"][reason.key] = {{"count", rows.count},
                                           {"firstPositions", rows.firstPositions}};
    }
    json["identicalVectors"] = {{"classes", info.duplicateClasses},
                                {"extraRows", info.duplicateRows}};
    json["norms"] = {{"min", jsonNumber(info.normMin)},
                     {"mean", jsonNumber(info.normMean)},
                     {"max", jsonNumber(info.normMax)}};
    if (info.outlying.count > 0) {
        ordered_json& outlying =
            json["outlyingRows"] = {{"count", info.outlying.count},
                                    {"medianNorm", jsonNumber(info.outlying.median)},
                                    {"longest", ordered_json::array()}};
        for (const OutlyingRows::Named& named : info.outlying.longest) {
            outlying["longest"].push_back(
                {{"row", named.row}, {"word", named.word}, {"norm", jsonNumber(named.norm)}});
        }
    }
    json["covariance"] = {{"rank", info.rank},
                          {"eigenvalueMin", jsonNumber(info.eigenvalueMin)},
                          {"eigenvalueMax", jsonNumber(info.eigenvalueMax)},
                          {"totalVariance", jsonNumber(info.totalVariance)},
                          {"largestUsableLambda", jsonNumber(info.largestUsableLambda)}};
    json["epsilonRange"] = nullptr;
    if (const auto& range = info.epsilonRange) {
        json["epsilonRange"] = {{"mechanism", mechanism::Laplace::kName},
                                {"suggested", jsonNumber(range->suggested)},
                                {"low", jsonNumber(range->low)},
                                {"high", jsonNumber(range->high)},
                                {"words", range->words}};
    }
    if (info.density) {
        json["density"] = jsonDensity(*info.density);
    }
    json["partial"] = info.partial;
    json["seconds"] = {{"load", jsonNumber(info.provenance.loadSeconds)},
                       {"prepare", jsonNumber(info.provenance.prepareSeconds)}};
    json["peakMemoryMiB"] = info.provenance.peakMemoryMiB;
    return json;
}

Facts embeddingFacts(const InfoReport& info) {
    const calibration::EmbeddingDescription& file = info.provenance.embedding;
    const std::string skipped = skippedRowsText(info.load);
    return {
        {{"format",
          file.format + (info.load.compression.empty() ? "" : ", ") + info.load.compression},
         {"size",
          fmt::format("{} bytes", formatCount(static_cast<std::int64_t>(info.load.fileBytes)))},
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
          info.duplicateClasses == 0
              ? "none"
              : fmt::format("{} group(s), {} row(s) beyond the first of their group",
                            formatCount(info.duplicateClasses), formatCount(info.duplicateRows))},
         {"norms", fmt::format("{} min, {} mean, {} max", four(info.normMin), four(info.normMean),
                               four(info.normMax))},
         {"covariance",
          fmt::format("rank {}; eigenvalues ξ from {} to {} (scaled to mean 1)",
                      formatCount(info.rank), four(info.eigenvalueMin), four(info.eigenvalueMax))},
         {"largest λ", info.largestUsableLambda
                           ? formatNumber(*info.largestUsableLambda)
                           : "none: all vectors are equal, their covariance is 0"},
         {"outlying rows", outlyingRowsText(info.outlying)}}};
}

std::string infoText(const InfoReport& info) {
    Facts facts = embeddingFacts(info);
    facts.items.emplace(facts.items.begin() + 2, "SHA-256", info.provenance.embedding.sha256);
    if (const auto& range = info.epsilonRange) {
        facts.items.emplace_back(
            "ε of interest",
            fmt::format("{} to {}, {} to start with (Laplace, {} random words)",
                        formatSignificant(range->low, 2), formatSignificant(range->high, 2),
                        formatNumber(range->suggested), formatCount(range->words)));
    }
    if (info.density) {
        addDensity(facts, *info.density);
    }
    facts.items.emplace_back(
        "partial", info.partial ? "interrupted; what is not listed was not computed" : "");
    return reportText({info.provenance.embedding.file, {{"", "", {std::move(facts)}}}, {}});
}

}  // namespace epsilens::report
