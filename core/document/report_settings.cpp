#include "core/document/report_settings.h"

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;
using Answer = ReportSettings::Answer;

constexpr std::size_t kMostSentences = 1'000;
constexpr std::size_t kMostLimits = 1'000;

struct SectionName {
    SectionId section;
    std::string_view key;
    std::string_view title;
};

constexpr std::array kSectionNames{
    SectionName{SectionId::summary, "summary", "Summary"},
    SectionName{SectionId::purpose, "purpose", "Purpose and origin"},
    SectionName{SectionId::embedding, "embedding", "Embedding"},
    SectionName{SectionId::mechanism, "mechanism", "Mechanism and guarantee"},
    SectionName{SectionId::privacyUnit, "privacyUnit", "Unit of privacy"},
    SectionName{SectionId::results, "results", "Results"},
    SectionName{SectionId::plots, "plots", "Plots"},
    SectionName{SectionId::worstWords, "worstWords", "Words protected least"},
    SectionName{SectionId::alternatives, "alternatives", "Alternatives looked at"},
    SectionName{SectionId::unprotected, "unprotected", "What is not protected"},
    SectionName{SectionId::repeat, "repeat", "To repeat this"},
    SectionName{SectionId::signOff, "signOff", "Sign-off"}};

const SectionName& nameOf(SectionId section) {
    return kSectionNames[static_cast<std::size_t>(section)];
}

constexpr std::array kAnswers{std::pair{Answer::notStated, std::string_view("not stated")},
                              std::pair{Answer::yes, std::string_view("yes")},
                              std::pair{Answer::no, std::string_view("no")}};

ordered_json jsonChoice(const std::optional<Choice>& choice) {
    if (!choice) {
        return nullptr;
    }
    ordered_json json;
    json["epsilon"] = jsonNumber(choice->epsilon);
    json["lambda"] = jsonNumber(choice->lambda);
    json["gamma"] = jsonNumber(choice->gamma);
    return json;
}

ordered_json jsonDensityFacts(const std::optional<DensityFacts>& density) {
    if (!density) {
        return nullptr;
    }
    const statistics::Summary& distances = density->distances;
    ordered_json json;
    json["min"] = jsonNumber(distances.min);
    json["p5"] = jsonNumber(distances.p5);
    json["p50"] = jsonNumber(distances.p50);
    json["p95"] = jsonNumber(distances.p95);
    json["max"] = jsonNumber(distances.max);
    json["meanOfSparsest"] = jsonNumber(density->meanOfSparsest);
    json["meanOfDensest"] = jsonNumber(density->meanOfDensest);
    return json;
}

DensityFacts readDensity(const JsonNode& node) {
    const auto distance = [&](std::string_view key) {
        return node.at(key).number(0.0, kLargestNumber);
    };
    DensityFacts density;
    density.distances.min = distance("min");
    density.distances.p5 = distance("p5");
    density.distances.p50 = distance("p50");
    density.distances.p95 = distance("p95");
    density.distances.max = distance("max");
    density.meanOfSparsest = distance("meanOfSparsest");
    density.meanOfDensest = distance("meanOfDensest");
    return density;
}

}  // namespace

Result<Answer> parseAnswer(std::string_view name) {
    for (const auto& [answer, known] : kAnswers) {
        if (known == name) {
            return answer;
        }
    }
    return fail(ErrorCode::badFile, fmt::format("\"{}\" is none of yes, no, not stated", name));
}

std::string_view sectionKey(SectionId section) {
    return nameOf(section).key;
}

std::string_view sectionTitle(SectionId section) {
    return nameOf(section).title;
}

Result<SectionId> parseSection(std::string_view key) {
    for (const SectionName& known : kSectionNames) {
        if (known.key == key) {
            return known.section;
        }
    }
    return fail(ErrorCode::badFile, fmt::format("the section \"{}\" is unknown", key));
}

DensityFacts describeDensity(const statistics::DensityFigures& figures) {
    return {figures.distances, figures.meanOfSparsest, figures.meanOfDensest};
}

ordered_json jsonLimits(const std::vector<calibration::Limit>& limits) {
    ordered_json json = ordered_json::array();
    for (const calibration::Limit& limit : limits) {
        json.push_back(calibration::limitText(limit));
    }
    return json;
}

std::vector<calibration::Limit> readLimits(const JsonNode& node) {
    std::vector<calibration::Limit> limits;
    for (const JsonNode& item : node.items(kMostLimits)) {
        limits.push_back(item.parsed(calibration::Limit{}, calibration::parseLimit));
    }
    return limits;
}

ordered_json jsonReportSettings(const ReportSettings& settings) {
    ordered_json json;
    json["title"] = settings.title;
    json["purpose"] = settings.purpose;
    json["author"] = settings.author;
    json["date"] = settings.date;
    json["trainedOnProtectedText"] =
        kAnswers[static_cast<std::size_t>(settings.trainedOnProtectedText)].second;
    json["textSource"] = settings.textSource;
    json["unknownWords"] = settings.unknownWords;
    json["alternatives"] = settings.alternatives;
    json["reason"] = settings.reason;
    json["choice"] = jsonChoice(settings.choice);
    json["limits"] = jsonLimits(settings.limits);
    json["sections"] = ordered_json::array();
    for (const SectionId section : settings.sections) {
        json["sections"].push_back(sectionKey(section));
    }
    json["sentences"] = settings.sentences;
    json["density"] = jsonDensityFacts(settings.density);
    return json;
}

std::string settingsKey(const ReportSettings& settings) {
    return jsonText(jsonReportSettings(settings));
}

ReportSettings readReportSettings(const JsonNode& node) {
    ReportSettings settings;
    const auto text = [&](std::string_view key) { return node.at(key).text(kLongestText); };
    settings.title = text("title");
    settings.purpose = text("purpose");
    settings.author = text("author");
    settings.date = text("date");
    settings.trainedOnProtectedText =
        node.at("trainedOnProtectedText").parsed(Answer::notStated, parseAnswer);
    settings.textSource = text("textSource");
    settings.unknownWords = text("unknownWords");
    settings.alternatives = text("alternatives");
    settings.reason = text("reason");
    if (const auto choice = node.find("choice")) {
        settings.choice = {choice->at("epsilon").number(kLeastNumber, kLargestNumber),
                           choice->at("lambda").numberOrNull(0.0, 1.0),
                           choice->at("gamma").numberOrNull(0.0, kLargestNumber)};
    }
    if (const auto limits = node.find("limits")) {
        settings.limits = readLimits(*limits);
    }
    settings.sections.clear();
    for (const JsonNode& section : node.at("sections").items(kAllSections.size())) {
        settings.sections.push_back(section.parsed(SectionId::summary, parseSection));
    }
    for (const JsonNode& sentence : node.at("sentences").items(kMostSentences)) {
        settings.sentences.push_back(sentence.text(kLongestText));
    }
    if (const auto density = node.find("density")) {
        settings.density = readDensity(*density);
    }
    return settings;
}

}  // namespace epsilens::document
