#include "core/document/json_parts.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace epsilens::document {

using nlohmann::ordered_json;

ordered_json jsonNumber(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json jsonNumber(const std::optional<double>& value) {
    return value ? jsonNumber(*value) : ordered_json(nullptr);
}

ordered_json jsonLambda(const mechanism::Mechanism& mechanism, double lambda) {
    return mechanism.hasLambda() ? jsonNumber(lambda) : ordered_json(nullptr);
}

ordered_json jsonEmbedding(const calibration::EmbeddingDescription& embedding) {
    ordered_json json;
    json["file"] = embedding.file;
    json["sha256"] = embedding.sha256;
    json["format"] = embedding.format;
    json["words"] = embedding.words;
    json["dimensions"] = embedding.dimensions;
    json["skipped"]["badLines"] = embedding.badLines;
    json["skipped"]["duplicates"] = embedding.duplicates;
    if (embedding.limitedTo) {
        json["limitedTo"] = *embedding.limitedTo;
    }
    if (embedding.vocabulary) {
        json["vocabulary"]["kept"] = embedding.vocabulary->kept;
        json["vocabulary"]["missing"] = embedding.vocabulary->missing;
    }
    if (embedding.sharedVectors) {
        json["sharedVectors"]["words"] = embedding.sharedVectors->words;
        json["sharedVectors"]["groups"] = embedding.sharedVectors->groups;
    }
    return json;
}

ordered_json jsonMechanism(const mechanism::Mechanism& mechanism, bool exact) {
    ordered_json json;
    json["name"] = mechanism.name();
    json["metric"] = metric::metricName(mechanism.metric());
    json["exact"] = exact;
    json["noise"] = nullptr;
    json["placement"] = nullptr;
    const mechanism::Parameters parameters = mechanism.parameters();
    if (parameters.law) {
        json["noise"] = mechanism::radialLawName(*parameters.law);
    }
    if (parameters.placement) {
        json["placement"] = mechanism::placementName(*parameters.placement);
    }
    return json;
}

ordered_json jsonGuarantee(const mechanism::Mechanism& mechanism,
                           const mechanism::Guarantee& guarantee) {
    ordered_json json;
    json["epsilon"] = jsonNumber(guarantee.epsilon);
    json["lambda"] = jsonLambda(mechanism, guarantee.lambda);
    json["gamma"] = jsonNumber(guarantee.gamma);
    json["metric"] = metric::metricName(guarantee.metric);
    json["bound"] = jsonNumber(guarantee.bound);
    json["cap"] = jsonNumber(guarantee.cap);
    json["statement"] = guarantee.statement;
    json["scope"] = guarantee.scope;
    if (guarantee.euclidean) {
        json["euclidean"] = {jsonNumber((*guarantee.euclidean)[0]),
                             jsonNumber((*guarantee.euclidean)[1])};
    }
    return json;
}

ordered_json jsonSummary(const statistics::Summary& summary) {
    ordered_json json;
    json["mean"] = jsonNumber(summary.mean);
    json["sd"] = jsonNumber(summary.sd);
    json["sdTrue"] = jsonNumber(summary.sdTrue);
    json["ci95"] = nullptr;
    if (summary.ci95) {
        json["ci95"] = {jsonNumber((*summary.ci95)[0]), jsonNumber((*summary.ci95)[1])};
    }
    json["min"] = jsonNumber(summary.min);
    json["p1"] = jsonNumber(summary.p1);
    json["p5"] = jsonNumber(summary.p5);
    json["p25"] = jsonNumber(summary.p25);
    json["p50"] = jsonNumber(summary.p50);
    json["p75"] = jsonNumber(summary.p75);
    json["p95"] = jsonNumber(summary.p95);
    json["p99"] = jsonNumber(summary.p99);
    json["max"] = jsonNumber(summary.max);
    return json;
}

std::string jsonText(const ordered_json& document) {
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace epsilens::document
