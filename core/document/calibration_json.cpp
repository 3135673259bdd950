#include "core/document/calibration_json.h"

#include <nlohmann/json.hpp>

#include "core/document/calibration_json_parts.h"
#include "core/document/json_parts.h"
#include "core/document/plane_json.h"
#include "core/document/request_json.h"

namespace epsilens::document {

using calibration::CalibrationSummary;
using nlohmann::ordered_json;

namespace {

ordered_json jsonWorstWords(const std::vector<calibration::WordValue>& words) {
    ordered_json json = ordered_json::array();
    for (const calibration::WordValue& word : words) {
        ordered_json entry;
        entry["word"] = word.word;
        entry["row"] = word.row;
        entry["nw"] = jsonNumber(word.nw);
        entry["sw"] = jsonNumber(word.sw);
        json.push_back(std::move(entry));
    }
    return json;
}

ordered_json jsonPairs(const CalibrationSummary& summary,
                       const std::vector<calibration::PairDistance>& pairs) {
    ordered_json json = ordered_json::array();
    for (const calibration::PairDistance& pair : pairs) {
        ordered_json entry;
        entry["words"] = {pair.first, pair.second};
        entry["lambda"] = jsonLambda(summary.grid.mechanism, pair.lambda);
        entry["distance"] = jsonNumber(pair.distance);
        json.push_back(std::move(entry));
    }
    return json;
}

}  // namespace

ordered_json calibrationDocument(const calibration::RunDescription& run,
                                 const CalibrationSummary& summary) {
    ordered_json json;
    json["schema"] = kCalibrationSchema;
    json["version"] = run.version;
    json["embedding"] = jsonEmbedding(run.embedding);
    json["mechanism"] = jsonMechanism(summary.grid.mechanism, summary.isExact());
    json["guarantee"] = ordered_json::array();
    for (const mechanism::Guarantee& guarantee : summary.guarantees) {
        json["guarantee"].push_back(jsonGuarantee(summary.grid.mechanism, guarantee));
    }
    json["run"] = jsonRun(run, summary);
    json["cells"] = ordered_json::array();
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        json["cells"].push_back(jsonCell(summary, summary.cells[i]));
        if (run.details) {
            json["cells"].back()["worstWords"] = jsonWorstWords(run.details->worstWords[i]);
        }
    }
    if (run.details) {
        json["pairs"] = jsonPairs(summary, run.details->pairs);
        if (run.details->plane) {
            json["plane"] = jsonPlane(*run.details->plane);
        }
        json["repeat"] = jsonRequest(run.details->request);
    }
    return json;
}

std::string calibrationJson(const calibration::RunDescription& run,
                            const CalibrationSummary& summary) {
    return jsonText(calibrationDocument(run, summary));
}

}  // namespace epsilens::document
