#include "core/report/calibration_json.h"

#include <nlohmann/json.hpp>

#include "core/report/json_parts.h"
#include "core/report/request_json.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using nlohmann::ordered_json;

ordered_json jsonSelection(const SelectionDescription& selection) {
    ordered_json json;
    json["words"] = selection.words;
    json["data"] = nullptr;
    if (!selection.dataFile.empty()) {
        json["data"]["file"] = selection.dataFile;
        json["data"]["column"] = selection.dataColumn.empty() ? ordered_json(nullptr)
                                                              : ordered_json(selection.dataColumn);
        json["data"]["records"] = selection.dataRecords;
    }
    return json;
}

ordered_json jsonRun(const RunDescription& run, const CalibrationSummary& summary) {
    ordered_json json;
    json["words"] = summary.words;
    json["draws"] = summary.draws;
    json["seed"] = summary.seed;
    json["threads"] = summary.threads;
    json["blockSize"] = summary.blockSize;
    json["partial"] = summary.partial;
    json["substitutions"] = summary.substitutions;
    json["seconds"]["load"] = jsonNumber(run.loadSeconds);
    json["seconds"]["prepare"] = jsonNumber(run.prepareSeconds);
    json["seconds"]["calibrate"] = jsonNumber(summary.seconds);
    json["peakMemoryMiB"] = run.peakMemoryMiB;
    json["wordsAsked"] = summary.wordsAsked;
    json["nearNeighbours"] = summary.nearNeighbours;
    json["independentDraws"] = summary.independentDraws;
    if (run.selection) {
        json["selection"] = jsonSelection(*run.selection);
    }
    return json;
}

ordered_json jsonOptional(const std::optional<statistics::Summary>& summary) {
    return summary ? jsonSummary(*summary) : ordered_json(nullptr);
}

ordered_json jsonDeniability(const std::optional<calibration::Deniability>& deniability) {
    if (!deniability) {
        return nullptr;
    }
    ordered_json json;
    json["odds"] = jsonNumber(deniability->odds);
    json["words"] = deniability->words;
    json["share"] = jsonNumber(deniability->share);
    json.update(jsonSummary(deniability->sizes));
    return json;
}

ordered_json jsonCell(const CalibrationSummary& summary, const calibration::Cell& cell) {
    ordered_json json;
    json["epsilon"] = jsonNumber(cell.epsilon);
    json["lambda"] = jsonLambda(summary.mechanism, summary.metric, cell.lambda);
    json["gamma"] = jsonNumber(cell.gamma);
    json["beta"] = jsonNumber(cell.beta);
    json["nw"] = jsonSummary(cell.nw);
    json["sw"] = jsonSummary(cell.sw);
    json["minEntropy"] = jsonSummary(cell.minEntropy);
    json["shannonEntropy"] = jsonSummary(cell.shannonEntropy);
    json["hartleyEntropy"] = jsonSummary(cell.hartleyEntropy);
    json["kw"] = jsonOptional(cell.kw);
    json["kwFarther"] = jsonOptional(cell.kwFarther);
    json["deniability"] = jsonDeniability(cell.deniability);
    json["kept"] = jsonNumber(cell.kept);
    json["near"] = jsonNumber(cell.near);
    json["far"] = jsonNumber(cell.far);
    json["meanDistance"] = jsonNumber(cell.meanDistance);
    json["meanCosine"] = jsonNumber(cell.meanCosine);
    json["coverage"] = jsonNumber(cell.coverage);
    if (cell.relativeError) {
        json["relativeError"] = jsonNumber(cell.relativeError);
    }
    return json;
}

ordered_json jsonWorstWords(const std::vector<WordValue>& words) {
    ordered_json json = ordered_json::array();
    for (const WordValue& word : words) {
        ordered_json entry;
        entry["word"] = word.word;
        entry["row"] = word.row;
        entry["nw"] = jsonNumber(word.nw);
        entry["sw"] = jsonNumber(word.sw);
        json.push_back(std::move(entry));
    }
    return json;
}

ordered_json jsonPairs(const CalibrationSummary& summary, const std::vector<PairDistance>& pairs) {
    ordered_json json = ordered_json::array();
    for (const PairDistance& pair : pairs) {
        ordered_json entry;
        entry["words"] = {pair.first, pair.second};
        entry["lambda"] = jsonLambda(summary.mechanism, summary.metric, pair.lambda);
        entry["distance"] = jsonNumber(pair.distance);
        json.push_back(std::move(entry));
    }
    return json;
}

}  // namespace

ordered_json calibrationDocument(const RunDescription& run, const CalibrationSummary& summary) {
    ordered_json json;
    json["schema"] = kCalibrationSchema;
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
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        json["cells"].push_back(jsonCell(summary, summary.cells[i]));
        if (run.details) {
            json["cells"].back()["worstWords"] = jsonWorstWords(run.details->worstWords[i]);
        }
    }
    if (run.details) {
        json["pairs"] = jsonPairs(summary, run.details->pairs);
        json["repeat"] = jsonRequest(run.details->request);
    }
    return json;
}

std::string calibrationJson(const RunDescription& run, const CalibrationSummary& summary) {
    return jsonText(calibrationDocument(run, summary));
}

}  // namespace epsilens::report
