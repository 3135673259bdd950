#include <nlohmann/json.hpp>

#include "core/document/error_json.h"
#include "core/document/json_parts.h"
#include "core/report/recommendation_report.h"

namespace epsilens::report {
namespace {

using calibration::LimitCheck;
using calibration::Recommendation;
using calibration::SettingRecommendation;
using nlohmann::ordered_json;

ordered_json jsonCheck(const LimitCheck& check) {
    ordered_json json;
    json["limit"] = calibration::limitText(check.limit);
    json["value"] = document::jsonNumber(check.value);
    json["bound"] = document::jsonNumber(check.bound);
    json["margin"] = document::jsonNumber(check.margin);
    json["met"] = check.met();
    return json;
}

ordered_json jsonChecks(const std::vector<LimitCheck>& checks) {
    ordered_json json = ordered_json::array();
    for (const LimitCheck& check : checks) {
        json.push_back(jsonCheck(check));
    }
    return json;
}

ordered_json jsonFigureCheck(const experiment::FigureCheck& check) {
    ordered_json json;
    json["limit"] = experiment::limitText(check.limit);
    json["value"] = document::jsonNumber(check.figure.value);
    json["ci95"] = check.figure.ci95 ? ordered_json(*check.figure.ci95) : ordered_json(nullptr);
    json["margin"] = document::jsonNumber(check.margin);
    json["met"] = check.met();
    return json;
}

ordered_json jsonFigures(const experiment::LimitsFound& found) {
    ordered_json json;
    for (const auto& [name, checks] :
         {std::pair("checks", &found.checks), std::pair("fresh", &found.fresh)}) {
        json[name] = ordered_json::array();
        for (const experiment::FigureCheck& check : *checks) {
            json[name].push_back(jsonFigureCheck(check));
        }
    }
    json["binding"] = found.binding ? jsonFigureCheck(*found.binding) : ordered_json(nullptr);
    json["searched"] = {{"from", document::jsonNumber(found.searched.low)},
                        {"to", document::jsonNumber(found.searched.high)},
                        {"lookedTo", document::jsonNumber(found.lookedTo)},
                        {"epsilons", found.looked}};
    return json;
}

ordered_json jsonSetting(const Recommendation& recommendation, const SettingRecommendation& setting,
                         const experiment::LimitsFound* figures) {
    const calibration::CalibrationSummary& run = recommendation.run;
    ordered_json json;
    json["lambda"] = document::jsonLambda(run.grid.mechanism, setting.cell.lambda);
    json["gamma"] = document::jsonNumber(setting.cell.gamma);
    json["beta"] = document::jsonNumber(setting.cell.beta);
    json["epsilon"] = document::jsonNumber(setting.epsilon);
    json["above"] = document::jsonNumber(setting.above);
    json["binding"] = setting.binding ? jsonCheck(*setting.binding) : ordered_json(nullptr);
    json["searched"]["from"] = document::jsonNumber(setting.searched.low);
    json["searched"]["to"] = document::jsonNumber(setting.searched.high);
    json["searched"]["everywhere"] = setting.everywhere;
    json["searched"]["epsilons"] =
        setting.everywhere ? ordered_json(nullptr) : ordered_json(setting.looked);
    json["checks"] = jsonChecks(setting.checks);
    json["fresh"] = nullptr;
    if (setting.freshCell) {
        json["fresh"]["seed"] = recommendation.freshSeed;
        json["fresh"]["checks"] = jsonChecks(setting.freshChecks);
        json["fresh"]["cell"] = document::jsonCell(run, *setting.freshCell);
    }
    json["figures"] = figures == nullptr ? ordered_json(nullptr) : jsonFigures(*figures);
    json["guarantee"] = document::jsonGuarantee(run.grid.mechanism, setting.guarantee);
    json["cell"] = document::jsonCell(run, setting.cell);
    return json;
}

}  // namespace

ordered_json recommendationJson(const calibration::Provenance& provenance,
                                const Recommendation& recommendation, int exitCodeWithoutBest,
                                const experiment::FigureLimits* figures) {
    const calibration::CalibrationSummary& summary = recommendation.run;
    ordered_json json;
    json["schema"] = "epsilens.recommendation/1";
    json["version"] = provenance.version;
    json["embedding"] = document::jsonEmbedding(provenance.embedding);
    json["mechanism"] = document::jsonMechanism(summary.grid.mechanism, summary.isExact());
    json["limits"] = ordered_json::array();
    for (const calibration::Limit& limit : recommendation.limits) {
        json["limits"].push_back(calibration::limitText(limit));
    }
    if (figures != nullptr) {
        for (const experiment::FigureLimit& limit : figures->limits) {
            json["limits"].push_back(experiment::limitText(limit));
        }
    }
    json["match"] = nullptr;
    if (recommendation.matches) {
        json["match"] = calibration::matchText(recommendation.limits.front());
    } else if (figures != nullptr && figures->limits.front().isMatch) {
        json["match"] = experiment::limitText(figures->limits.front());
    }
    json["objective"] = calibration::objectiveName(recommendation.objective);
    json["run"] = document::jsonRun(provenance, summary);
    json["best"] = recommendation.best ? ordered_json(*recommendation.best) : ordered_json(nullptr);
    json["settings"] = ordered_json::array();
    for (std::size_t i = 0; i < recommendation.settings.size(); ++i) {
        json["settings"].push_back(
            jsonSetting(recommendation, recommendation.settings[i],
                        figures == nullptr ? nullptr : &figures->settings[i]));
    }
    if (!recommendation.best && !recommendation.partial) {
        const Error error{
            ErrorCode::limitsNotMet, shortfallSentence(recommendation, figures), {}, 0};
        json.update(document::jsonError(error, exitCodeWithoutBest));
    }
    return json;
}

}  // namespace epsilens::report
