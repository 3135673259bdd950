#include "core/report/calibration_json.h"

#include <nlohmann/json.hpp>

#include "core/report/calibration_json_parts.h"
#include "core/report/json_parts.h"

namespace epsilens::report {

using nlohmann::ordered_json;

std::string calibrationJson(const RunDescription& run,
                            const calibration::CalibrationSummary& summary) {
    ordered_json json;
    json["schema"] = "epsilens.calibration/1";
    json["version"] = run.version;
    json["embedding"] = jsonEmbedding(run.embedding);
    json["mechanism"] =
        jsonMechanism(summary.mechanism, summary.metric, summary.exact, summary.hyperbolic);
    json["guarantee"] = ordered_json::array();
    for (const mechanism::Guarantee& guarantee : summary.guarantees) {
        json["guarantee"].push_back(jsonGuarantee(summary.mechanism, guarantee));
    }
    json["run"] = jsonRun(run, summary);
    json["cells"] = ordered_json::array();
    for (const calibration::Cell& cell : summary.cells) {
        json["cells"].push_back(jsonCell(summary, cell));
    }
    return jsonText(json);
}

}  // namespace epsilens::report
