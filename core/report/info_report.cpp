#include "core/report/info_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/document/descriptions.h"
#include "core/report/markup_text.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::DensityFigures;
using document::FieldWriter;
using document::listOf;
using document::objectOf;
using embedding::LoadReport;
using embedding::PreparedEmbedding;
using embedding::Row;
using embedding::SkippedRows;

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

/// Of some words, and how often the sparsest of them stand in the data set.
void describeDensity(FieldWriter& json, const InfoReport& info, const std::vector<Row>& rows) {
    const calibration::DensityProfile& profile = info.density->profile;
    const DensityFigures figures = calibration::densityFigures(profile, rows);
    const auto words = listOf(objectOf([&](auto& entry, auto& row) {
        const embedding::Vocabulary& vocabulary = info.prepared.vocabulary();
        const auto index = static_cast<std::size_t>(row);
        entry.field("word", vocabulary.word(row));
        entry.field("distance", profile.distances[index]);
        entry.field("nearest", vocabulary.word(profile.nearest[index]));
    }));
    json.field("words", rows.size());
    json.field("min", figures.least);
    json.field("max", figures.largest);
    json.field("maxOverMin", figures.spread());
    json.field("mean", figures.distances.mean);
    json.field("p5", figures.distances.p5);
    json.field("p50", figures.distances.p50);
    json.field("p95", figures.distances.p95);
    json.field("extremeWords", figures.sparsest.size());
    json.field("sparsestMean", figures.meanOfSparsest);
    json.field("densestMean", figures.meanOfDensest);
    json.field("sparsestOverDensest", figures.extremesRatio());
    if (const auto& data = info.density->data) {
        json.field("sparsestShareOfRecords", data->meanShareOfRecords(figures.sparsest));
        json.field("recordsWithSparsest", data->shareOfRecordsWithAny(figures.sparsest));
    }
    json.field("sparsest", figures.sparsest, words);
    json.field("densest", figures.densest, words);
}

auto densityFields(const InfoReport& info) {
    return objectOf([&info](auto& json, auto& density) {
        json.field("metric", mechanism::metricName(mechanism::Metric::euclidean));
        json.field("distinctVectors", density.distinctVectors);
        describeDensity(json, info, allRows(density));
        json.field("seconds", density.seconds);
        json.field("data", density.data, objectOf([&info](auto& part, auto& data) {
                       part.field("file", data.file);
                       part.fieldOrNull(!data.column.empty(), "column", data.column);
                       part.field("records", data.records());
                       part.field("skippedRecords", data.skippedRecords);
                       part.field("tokens", data.tokens());
                       part.field("unknownTokens", data.unknownTokens());
                       const std::vector<Row> words = data.words();
                       part.fieldOrNull(!words.empty(), "density", words,
                                        objectOf([&info](auto& inner, auto& rows) {
                                            describeDensity(inner, info, rows);
                                        }));
                   }));
    });
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

nlohmann::ordered_json infoJson(const InfoReport& info) {
    const PreparedEmbedding& prepared = info.prepared;
    const LoadReport& load = prepared.embedding.report;
    const VectorD norms = prepared.squaredNorms.cwiseSqrt();
    FieldWriter json;
    json.schema("epsilens.info/1");
    json.field("version", info.provenance.version);
    json.field("embedding", info.provenance.embedding, objectOf([&load](auto& part, auto& file) {
                   document::kEmbedding.describe(part, file);
                   part.fieldOrNull(!load.compression.empty(), "compression", load.compression);
                   part.field("fileBytes", load.fileBytes);
               }));
    json.field("skippedRows", load, objectOf([](auto& part, auto& loaded) {
                   for (const SkipReason& reason : kSkipReasons) {
                       part.field(reason.key, loaded.*reason.rows,
                                  objectOf([](auto& one, auto& rows) {
                                      one.field("count", rows.count);
                                      one.field("firstPositions", rows.firstPositions);
                                  }));
                   }
               }));
    json.field("identicalVectors", prepared.duplicates, objectOf([](auto& part, auto& duplicates) {
                   part.field("classes", duplicates.classes);
                   part.field("extraRows", duplicates.extraRows);
               }));
    json.field("norms", norms, objectOf([](auto& part, auto& values) {
                   part.field("min", values.minCoeff());
                   part.field("mean", values.mean());
                   part.field("max", values.maxCoeff());
               }));
    json.fieldIf(!prepared.outlying.rows.empty(), "outlyingRows", prepared.outlying,
                 objectOf([&](auto& part, auto& outlying) {
                     part.field("count", outlying.rows.size());
                     part.field("medianNorm", outlying.median);
                     part.field("longest", longestRows(prepared),
                                listOf(objectOf([&](auto& entry, auto& row) {
                                    entry.field("row", row + 1);
                                    entry.field("word", prepared.vocabulary().word(row));
                                    entry.field("norm", norms[row]);
                                })));
                 }));
    json.field("covariance", prepared.basis, objectOf([&prepared](auto& part, auto& basis) {
                   part.field("rank", basis.rank());
                   part.field("eigenvalueMin", basis.spectrum.minCoeff());
                   part.field("eigenvalueMax", basis.spectrum.maxCoeff());
                   part.field("totalVariance", basis.totalVariance);
                   part.field("largestUsableLambda", usableLambda(prepared));
               }));
    json.field("epsilonRange", info.epsilonRange, objectOf([](auto& part, auto& range) {
                   part.field("mechanism", mechanism::Laplace::kName);
                   part.field("suggested", range.suggested);
                   part.field("low", range.low);
                   part.field("high", range.high);
                   part.field("words", range.words);
               }));
    json.fieldIf("density", info.density, densityFields(info));
    json.field("partial", info.partial);
    json.field("seconds", info.provenance, objectOf([](auto& part, auto& provenance) {
                   part.field("load", provenance.loadSeconds);
                   part.field("prepare", provenance.prepareSeconds);
               }));
    json.field("peakMemoryMiB", info.provenance.peakMemoryMiB);
    return std::move(json).json();
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
