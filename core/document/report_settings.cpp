#include "core/document/report_settings.h"

#include <cstddef>
#include <utility>

#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parts.h"
#include "core/document/kept_search.h"

namespace epsilens::document {
namespace {

using Answer = ReportSettings::Answer;

constexpr std::size_t kMostLimits = 1'000;

constexpr EnumNames<Answer, 3> kAnswers{
    {{"yes", Answer::yes}, {"no", Answer::no}, {"not stated", Answer::notStated}}};

constexpr auto kChoice = objectOf([](auto& json, auto& choice) {
    json.field("epsilon", choice.epsilon, kAboveZero);
    json.field("lambda", choice.lambda, kShare);
    json.field("gamma", choice.gamma, kAtLeastZero);
});

constexpr auto kDensity = objectOf([](auto& json, auto& density) {
    json.field("min", density.distances.min, kAtLeastZero);
    json.field("p5", density.distances.p5, kAtLeastZero);
    json.field("p50", density.distances.p50, kAtLeastZero);
    json.field("p95", density.distances.p95, kAtLeastZero);
    json.field("max", density.distances.max, kAtLeastZero);
    json.field("meanOfSparsest", density.meanOfSparsest, kAtLeastZero);
    json.field("meanOfDensest", density.meanOfDensest, kAtLeastZero);
});

}  // namespace

Result<Answer> parseAnswer(std::string_view name) {
    return valueIn(kAnswers, name);
}

template <typename Fields, typename Settings>
void describeLimits(Fields& json, Settings& settings) {
    json.field("limits", settings.limits,
               listOf(Named<calibration::limitText, calibration::parseLimit>{}, kMostLimits));
    json.fieldIf(!settings.figureLimits.empty(), "figureLimits", settings.figureLimits,
                 listOf(Named<evaluation::limitText, evaluation::parseFigureLimit>{}, kMostLimits));
}

template <typename Fields, typename Settings>
void describeSettings(Fields& json, Settings& settings) {
    json.field("title", settings.title, kText);
    json.field("purpose", settings.purpose, kText);
    json.field("author", settings.author, kText);
    json.field("date", settings.date, kText);
    json.field("trainedOnProtectedText", settings.trainedOnProtectedText,
               OneOf<Answer, kAnswers.size()>{kAnswers});
    json.field("textSource", settings.textSource, kText);
    json.field("unknownWords", settings.unknownWords, kText);
    json.field("alternatives", settings.alternatives, kText);
    json.field("reason", settings.reason, kText);
    json.field("choice", settings.choice, kChoice);
    json.field("density", settings.density, kDensity);
}

template void describeLimits(FieldWriter& json, const ReportSettings& settings);
template void describeLimits(FieldReader& json, ReportSettings& settings);
template void describeLimits(FieldWriter& json, const KeptSearch& search);
template void describeLimits(FieldReader& json, KeptSearch& search);
template void describeSettings(FieldWriter& json, const ReportSettings& settings);
template void describeSettings(FieldReader& json, ReportSettings& settings);

std::string settingsKey(const ReportSettings& settings) {
    FieldWriter json;
    describeSettings(json, settings);
    describeLimits(json, settings);
    return jsonLine(std::move(json).json());
}

}  // namespace epsilens::document
