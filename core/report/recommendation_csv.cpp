#include <vector>

#include <fmt/format.h>

#include "core/io/csv.h"
#include "core/report/recommendation_report.h"

namespace epsilens::report {
namespace {

using calibration::Recommendation;
using calibration::SettingRecommendation;
using Fields = std::vector<std::string>;

Fields header(const Recommendation& recommendation, const experiment::FigureLimits* figures) {
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
    for (std::size_t i = 0; figures != nullptr && i < figures->limits.size(); ++i) {
        const std::string text = experiment::limitText(figures->limits[i]);
        for (const char* part : {"", " ci95Low", " ci95High"}) {
            fields.push_back(io::csvField(text + part));
        }
    }
    return fields;
}

/// Value and interval for each limit on a figure, where it was read.
void appendFigures(Fields& fields, const experiment::FigureLimits* figures, std::size_t setting) {
    for (std::size_t i = 0; figures != nullptr && i < figures->limits.size(); ++i) {
        const std::vector<experiment::FigureCheck>& checks = figures->settings[setting].checks;
        if (i >= checks.size()) {
            fields.insert(fields.end(), 3, std::string());
            continue;
        }
        const experiment::FigureValue& figure = checks[i].figure;
        fields.push_back(io::csvNumber(figure.value));
        fields.push_back(figure.ci95 ? io::csvNumber((*figure.ci95)[0]) : "");
        fields.push_back(figure.ci95 ? io::csvNumber((*figure.ci95)[1]) : "");
    }
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

std::string recommendationCsv(const Recommendation& recommendation,
                              const experiment::FigureLimits* figures) {
    std::string text;
    io::appendCsvLine(text, header(recommendation, figures));
    for (std::size_t i = 0; i < recommendation.settings.size(); ++i) {
        Fields fields = settingFieldsOf(recommendation, i);
        appendFigures(fields, figures, i);
        io::appendCsvLine(text, fields);
    }
    return text;
}

}  // namespace epsilens::report
