#include "core/report/density_report.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

using embedding::Row;
using nlohmann::ordered_json;

constexpr std::size_t kWordsShown = 10;

std::vector<DensityReport::Word> named(const std::vector<Row>& rows,
                                       const statistics::DensityProfile& profile,
                                       const embedding::Vocabulary& vocabulary) {
    std::vector<DensityReport::Word> words;
    for (const Row row : rows) {
        const auto index = static_cast<std::size_t>(row);
        words.push_back({std::string(vocabulary.word(row)), profile.distances[index],
                         std::string(vocabulary.word(profile.nearest[index]))});
    }
    return words;
}

DensityReport::Part describePart(const statistics::DensityProfile& profile,
                                 const embedding::Vocabulary& vocabulary,
                                 const std::vector<Row>& rows,
                                 const std::optional<text::DataSetWords>& data) {
    DensityReport::Part part;
    part.words = static_cast<std::int64_t>(rows.size());
    part.figures = statistics::densityFigures(profile, rows);
    part.sparsest = named(part.figures.sparsest, profile, vocabulary);
    part.densest = named(part.figures.densest, profile, vocabulary);
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
                        {"distance", document::jsonNumber(word.distance)},
                        {"nearest", word.nearest}});
    }
    return json;
}

void addPart(ordered_json& json, const DensityReport::Part& part) {
    const statistics::DensityFigures& figures = part.figures;
    json["words"] = part.words;
    json["min"] = document::jsonNumber(figures.least);
    json["max"] = document::jsonNumber(figures.largest);
    json["maxOverMin"] = document::jsonNumber(figures.spread());
    json["mean"] = document::jsonNumber(figures.distances.mean);
    json["p5"] = document::jsonNumber(figures.distances.p5);
    json["p50"] = document::jsonNumber(figures.distances.p50);
    json["p95"] = document::jsonNumber(figures.distances.p95);
    json["extremeWords"] = part.sparsest.size();
    json["sparsestMean"] = document::jsonNumber(figures.meanOfSparsest);
    json["densestMean"] = document::jsonNumber(figures.meanOfDensest);
    json["sparsestOverDensest"] = document::jsonNumber(figures.extremesRatio());
    if (part.meanShareOfRecords) {
        json["sparsestShareOfRecords"] = document::jsonNumber(part.meanShareOfRecords);
        json["recordsWithSparsest"] = document::jsonNumber(part.shareOfRecordsWithAny);
    }
    json["sparsest"] = jsonWords(part.sparsest);
    json["densest"] = jsonWords(part.densest);
}

ordered_json jsonData(const DensityReport::Data& data) {
    ordered_json json;
    json["file"] = data.file;
    json["column"] = data.column.empty() ? ordered_json(nullptr) : ordered_json(data.column);
    json["records"] = data.records;
    json["skippedRecords"] = data.skippedRecords;
    json["tokens"] = data.tokens;
    json["unknownTokens"] = data.unknownTokens;
    json["density"] = nullptr;
    if (data.words) {
        addPart(json["density"], *data.words);
    }
    return json;
}

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string four(double value) {
    return formatSignificant(value, 4);
}

std::string profilePercent(double share) {
    return formatSignificant(100.0 * share, 2) + "%";
}

std::string wordsText(const std::vector<DensityReport::Word>& words) {
    std::string text;
    for (std::size_t i = 0; i < std::min(words.size(), kWordsShown); ++i) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", printable(words[i].word),
                            formatSignificant(words[i].distance, 3));
    }
    return text + (words.size() > kWordsShown ? ", …" : "");
}

void addPart(Lines& lines, const std::string& whose, const DensityReport::Part& part) {
    const statistics::DensityFigures& figures = part.figures;
    lines.emplace_back(whose, fmt::format("{} words: {} min, {} median, {} max; max/min {}",
                                          formatCount(part.words), four(figures.least),
                                          four(figures.distances.p50), four(figures.largest),
                                          four(figures.spread())));
    lines.emplace_back("  sparsest/densest",
                       fmt::format("mean of {} words each: {} / {} = {}", part.sparsest.size(),
                                   four(figures.meanOfSparsest), four(figures.meanOfDensest),
                                   four(figures.extremesRatio())));
    lines.emplace_back("  sparsest words", wordsText(part.sparsest));
    lines.emplace_back("  densest words", wordsText(part.densest));
    if (part.meanShareOfRecords) {
        lines.emplace_back(
            "  in the records",
            fmt::format("a sparsest word stands in {} of the records on average; {} of the "
                        "records hold any of the {}",
                        profilePercent(*part.meanShareOfRecords),
                        profilePercent(*part.shareOfRecordsWithAny), part.sparsest.size()));
    }
}

void addData(Lines& lines, const DensityReport::Data& data) {
    const std::string column = data.column.empty() ? "" : ", column " + printable(data.column);
    const std::string skipped =
        data.skippedRecords == 0 ? ""
                                 : fmt::format(" ({} skipped)", formatCount(data.skippedRecords));
    lines.emplace_back("data set",
                       fmt::format("{}{}: {} records{}, {} words, {} of them unknown",
                                   printable(data.file), column, formatCount(data.records), skipped,
                                   formatCount(data.tokens), formatCount(data.unknownTokens)));
    if (data.words) {
        addPart(lines, "distance of its words", *data.words);
    }
}

}  // namespace

DensityReport describeDensity(const statistics::DensityProfile& profile,
                              const engine::SearchSpace& space,
                              const std::optional<text::DataSetWords>& data, double seconds) {
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    std::vector<Row> all(profile.distances.size());
    std::iota(all.begin(), all.end(), 0);
    DensityReport density;
    density.vocabulary = describePart(profile, vocabulary, all, data);
    density.distinctVectors = space.positions();
    density.seconds = seconds;
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

ordered_json jsonDensity(const DensityReport& density) {
    ordered_json json;
    json["metric"] = mechanism::metricName(mechanism::Metric::euclidean);
    json["distinctVectors"] = density.distinctVectors;
    addPart(json, density.vocabulary);
    json["seconds"] = document::jsonNumber(density.seconds);
    json["data"] = density.data ? jsonData(*density.data) : ordered_json(nullptr);
    return json;
}

Lines densityLines(const DensityReport& density) {
    Lines lines;
    addPart(lines, "nearest distance", density.vocabulary);
    if (density.data) {
        addData(lines, *density.data);
    }
    return lines;
}

}  // namespace epsilens::report
