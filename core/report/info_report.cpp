#include "core/report/info_report.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

using embedding::LoadReport;
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

std::string positionsText(const SkippedRows& rows) {
    std::string text;
    for (const std::int64_t position : rows.firstPositions) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", formatCount(position));
    }
    const bool more = static_cast<std::int64_t>(rows.firstPositions.size()) < rows.count;
    return text + (more ? ", …" : "");
}

ordered_json jsonSkipped(const LoadReport& report) {
    ordered_json json;
    for (const SkipReason& reason : kSkipReasons) {
        const SkippedRows& rows = report.*reason.rows;
        json[reason.key]["count"] = rows.count;
        json[reason.key]["firstPositions"] = rows.firstPositions;
    }
    return json;
}

ordered_json jsonEpsilonRange(const std::optional<engine::EpsilonRange>& range) {
    if (!range) {
        return nullptr;
    }
    ordered_json json;
    json["mechanism"] = mechanism::Laplace::kName;
    json["suggested"] = document::jsonNumber(range->suggested);
    json["low"] = document::jsonNumber(range->low);
    json["high"] = document::jsonNumber(range->high);
    json["words"] = range->words;
    return json;
}

ordered_json jsonOutlying(const OutlyingRows& rows) {
    ordered_json json;
    json["count"] = rows.count;
    json["medianNorm"] = document::jsonNumber(rows.median);
    json["longest"] = ordered_json::array();
    for (const OutlyingRows::Named& named : rows.longest) {
        json["longest"].push_back(
            {{"row", named.row}, {"word", named.word}, {"norm", document::jsonNumber(named.norm)}});
    }
    return json;
}

ordered_json jsonCovariance(const InfoReport& info) {
    ordered_json json;
    json["rank"] = info.rank;
    json["eigenvalueMin"] = document::jsonNumber(info.eigenvalueMin);
    json["eigenvalueMax"] = document::jsonNumber(info.eigenvalueMax);
    json["totalVariance"] = document::jsonNumber(info.totalVariance);
    json["largestUsableLambda"] = document::jsonNumber(info.largestUsableLambda);
    return json;
}

using Lines = std::vector<std::pair<std::string, std::string>>;

Lines fileLines(const InfoReport& info) {
    const calibration::EmbeddingDescription& file = info.provenance.embedding;
    Lines lines{
        {"file", printable(file.file)},
        {"format",
         file.format + (info.load.compression.empty() ? "" : ", " + info.load.compression)},
        {"size",
         fmt::format("{} bytes", formatCount(static_cast<std::int64_t>(info.load.fileBytes)))},
        {"SHA-256", file.sha256},
        {"words", formatCount(file.words)},
        {"dimensions", formatCount(file.dimensions)},
    };
    const std::string skipped = skippedRowsText(info.load);
    lines.emplace_back("skipped rows", skipped.empty() ? "none" : skipped);
    if (file.limitedTo) {
        lines.emplace_back("limited to",
                           fmt::format("the first {} rows", formatCount(*file.limitedTo)));
    }
    if (file.vocabulary) {
        lines.emplace_back("vocabulary", fmt::format("{} words kept, {} not in the file",
                                                     formatCount(file.vocabulary->kept),
                                                     formatCount(file.vocabulary->missing)));
    }
    return lines;
}

Lines vectorLines(const InfoReport& info) {
    Lines lines{
        {"equal vectors",
         info.duplicateClasses == 0
             ? "none"
             : fmt::format("{} group(s), {} row(s) beyond the first of their group",
                           formatCount(info.duplicateClasses), formatCount(info.duplicateRows))},
        {"norms",
         fmt::format("{} min, {} mean, {} max", formatSignificant(info.normMin, 4),
                     formatSignificant(info.normMean, 4), formatSignificant(info.normMax, 4))},
        {"covariance", fmt::format("rank {}; eigenvalues ξ from {} to {} (scaled to mean 1)",
                                   formatCount(info.rank), formatSignificant(info.eigenvalueMin, 4),
                                   formatSignificant(info.eigenvalueMax, 4))},
        {"largest λ", info.largestUsableLambda
                          ? formatNumber(*info.largestUsableLambda)
                          : "none: all vectors are equal, their covariance is 0"},
    };
    if (info.outlying.count > 0) {
        lines.emplace_back("outlying rows", outlyingRowsText(info.outlying));
    }
    if (info.epsilonRange) {
        const engine::EpsilonRange& range = *info.epsilonRange;
        lines.emplace_back(
            "ε of interest",
            fmt::format("{} to {}, {} to start with (Laplace, {} random words)",
                        formatSignificant(range.low, 2), formatSignificant(range.high, 2),
                        formatNumber(range.suggested), formatCount(range.words)));
    }
    return lines;
}

std::string lengthText(double norm) {
    constexpr double kLeastWhole = 1000.0;
    constexpr double kMostWhole = 1e15;
    return norm >= kLeastWhole && norm < kMostWhole ? formatCount(std::llround(norm))
                                                    : formatSignificant(norm, 3);
}

}  // namespace

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
    std::string text;
    for (const OutlyingRows::Named& named : rows.longest) {
        text += fmt::format("{}row {}, word \"{}\": length {}, median {}: a missing decimal point?",
                            text.empty() ? "" : "; ", formatCount(named.row), printable(named.word),
                            lengthText(named.norm), lengthText(rows.median));
    }
    const std::int64_t others = rows.count - static_cast<std::int64_t>(rows.longest.size());
    return others == 0
               ? text
               : text + fmt::format("; and {} more above 20 times the median", formatCount(others));
}

InfoReport describeInfo(const embedding::PreparedEmbedding& prepared,
                        const std::optional<engine::EpsilonRange>& epsilonRange) {
    InfoReport info;
    info.provenance = calibration::provenanceOf(prepared);
    info.load = prepared.embedding.report;
    info.duplicateClasses = prepared.duplicates.classes;
    info.duplicateRows = prepared.duplicates.extraRows;
    const VectorD norms = prepared.squaredNorms.cwiseSqrt();
    info.normMin = norms.minCoeff();
    info.normMean = norms.mean();
    info.normMax = norms.maxCoeff();
    info.outlying = outlyingRows(prepared);
    const embedding::PcaBasis& basis = prepared.basis;
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

std::string skippedRowsText(const LoadReport& report) {
    std::string reasons;
    std::int64_t total = 0;
    for (const SkipReason& reason : kSkipReasons) {
        const SkippedRows& rows = report.*reason.rows;
        total += rows.count;
        if (rows.count > 0) {
            reasons += fmt::format("{}{} {} (at {})", reasons.empty() ? "" : ", ", reason.text,
                                   formatCount(rows.count), positionsText(rows));
        }
    }
    if (total == 0) {
        return report.endsWithinRow ? "none skipped; the last line has no line end and a short "
                                      "last number: the file may be cut off"
                                    : "";
    }
    return fmt::format(
        "{} skipped: {}{}", total == 1 ? "1 row" : formatCount(total) + " rows", reasons,
        report.endsWithinRow ? "; the last line has no line end: the file may be cut off" : "");
}

ordered_json infoJson(const InfoReport& info) {
    ordered_json json;
    json["schema"] = "epsilens.info/1";
    json["version"] = info.provenance.version;
    json["embedding"] = document::jsonEmbedding(info.provenance.embedding);
    json["embedding"]["compression"] =
        info.load.compression.empty() ? ordered_json(nullptr) : ordered_json(info.load.compression);
    json["embedding"]["fileBytes"] = info.load.fileBytes;
    json["skippedRows"] = jsonSkipped(info.load);
    json["identicalVectors"]["classes"] = info.duplicateClasses;
    json["identicalVectors"]["extraRows"] = info.duplicateRows;
    json["norms"]["min"] = document::jsonNumber(info.normMin);
    json["norms"]["mean"] = document::jsonNumber(info.normMean);
    json["norms"]["max"] = document::jsonNumber(info.normMax);
    if (info.outlying.count > 0) {
        json["outlyingRows"] = jsonOutlying(info.outlying);
    }
    json["covariance"] = jsonCovariance(info);
    json["epsilonRange"] = jsonEpsilonRange(info.epsilonRange);
    if (info.density) {
        json["density"] = jsonDensity(*info.density);
    }
    json["partial"] = info.partial;
    json["seconds"]["load"] = document::jsonNumber(info.provenance.loadSeconds);
    json["seconds"]["prepare"] = document::jsonNumber(info.provenance.prepareSeconds);
    json["peakMemoryMiB"] = info.provenance.peakMemoryMiB;
    return json;
}

std::string infoText(const InfoReport& info) {
    std::size_t width = 0;
    Lines lines = fileLines(info);
    for (auto& line : vectorLines(info)) {
        lines.push_back(std::move(line));
    }
    if (info.density) {
        const Lines density = densityLines(*info.density);
        lines.insert(lines.end(), density.begin(), density.end());
    }
    if (info.partial) {
        lines.emplace_back("partial", "interrupted; what is not listed was not computed");
    }
    for (const auto& [name, value] : lines) {
        width = std::max(width, displayWidth(name));
    }
    std::string text;
    for (const auto& [name, value] : lines) {
        const std::string padding(width - displayWidth(name) + 2, ' ');
        text += fmt::format("{}{}{}\n", name, padding, value);
    }
    return text;
}

}  // namespace epsilens::report
