#include <vector>

#include <fmt/format.h>

#include "core/io/csv.h"
#include "core/report/recommendation_report.h"

namespace epsilens::report {
namespace {

using calibration::Recommendation;
using calibration::SettingRecommendation;
using Fields = std::vector<std::string>;

Fields header(const Recommendation& recommendation) {
    Fields fields{"mechanism", "lambda", "gamma",  "beta",   "epsilon", "met", "best",
                  "above",     "limit",  "atCell", "metric", "bound",   "cap"};
    for (const calibration::Limit& limit : recommendation.limits) {
        const std::string text = calibration::limitText(limit);
        fields.push_back(io::csvField(text));
        fields.push_back(io::csvField(text + " fresh"));
    }
    for (const char* name : {"kept", "near", "far", "meanDistance", "meanCosine", "words", "draws",
                             "seed", "freshSeed", "partial", "exact"}) {
        fields.emplace_back(name);
    }
    return fields;
}

std::string flag(bool value) {
    return value ? "true" : "false";
}

Fields settingFieldsOf(const Recommendation& recommendation, std::size_t index) {
    const calibration::CalibrationSummary& run = recommendation.run;
    const SettingRecommendation& setting = recommendation.settings[index];
    const bool hasLambda = run.grid.mechanism.hasLambda();
    Fields fields{std::string(run.grid.mechanism.name()),
                  hasLambda ? io::csvNumber(setting.cell.lambda) : std::string(),
                  io::csvNumber(setting.cell.gamma),
                  io::csvNumber(setting.cell.beta),
                  io::csvNumber(setting.epsilon),
                  flag(setting.epsilon.has_value()),
                  flag(recommendation.best == index),
                  io::csvNumber(setting.above),
                  setting.binding ? io::csvField(calibration::limitText(setting.binding->limit))
                                  : std::string(),
                  io::csvNumber(setting.cell.epsilon),
                  std::string(mechanism::metricName(setting.guarantee.metric)),
                  io::csvNumber(setting.guarantee.bound),
                  io::csvNumber(setting.guarantee.cap)};
    for (std::size_t i = 0; i < setting.checks.size(); ++i) {
        fields.push_back(io::csvNumber(setting.checks[i].value));
        fields.push_back(setting.freshChecks.empty() ? std::string()
                                                     : io::csvNumber(setting.freshChecks[i].value));
    }
    for (const double value :
         {setting.cell.kept, setting.cell.near, setting.cell.far, setting.cell.meanDistance}) {
        fields.push_back(io::csvNumber(value));
    }
    fields.push_back(io::csvNumber(setting.cell.meanCosine));
    fields.push_back(fmt::format("{}", run.words));
    fields.push_back(fmt::format("{}", run.draws));
    fields.push_back(fmt::format("{}", run.seed));
    fields.push_back(run.isExact() ? "" : fmt::format("{}", recommendation.freshSeed));
    fields.push_back(flag(recommendation.partial));
    fields.push_back(flag(run.isExact()));
    return fields;
}

}  // namespace

std::string recommendationCsv(const Recommendation& recommendation) {
    std::string text;
    io::appendCsvLine(text, header(recommendation));
    for (std::size_t i = 0; i < recommendation.settings.size(); ++i) {
        io::appendCsvLine(text, settingFieldsOf(recommendation, i));
    }
    return text;
}

}  // namespace epsilens::report
