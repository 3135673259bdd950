#include "core/document/calibration_json_parts.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {

using nlohmann::ordered_json;

namespace {

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

ordered_json jsonWorst(const calibration::WorstWords& worst) {
    ordered_json json;
    json["draws"] = worst.draws;
    json["words"] = ordered_json::array();
    for (const calibration::RerunWord& word : worst.words) {
        ordered_json entry;
        entry["word"] = word.word;
        entry["row"] = word.row;
        entry["nw"] = jsonNumber(word.nw);
        entry["kept"] = word.kept;
        json["words"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace

ordered_json jsonSelection(const calibration::SelectionDescription& selection) {
    ordered_json json;
    json["words"] = selection.words;
    json["data"] = nullptr;
    if (!selection.dataFile.empty()) {
        json["data"]["file"] = selection.dataFile;
        json["data"]["column"] = selection.dataColumn.empty() ? ordered_json(nullptr)
                                                              : ordered_json(selection.dataColumn);
        json["data"]["records"] = selection.dataRecords;
        if (selection.dataFormat != io::RecordFormat::automatic) {
            json["data"]["format"] = io::recordFormatName(selection.dataFormat);
        }
        if (selection.letterCase != text::CasePolicy::automatic) {
            json["data"]["case"] = text::casePolicyName(selection.letterCase);
        }
    }
    return json;
}

ordered_json jsonRun(const calibration::RunDescription& run,
                     const calibration::CalibrationSummary& summary) {
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

ordered_json jsonCell(const calibration::CalibrationSummary& summary,
                      const calibration::Cell& cell) {
    ordered_json json;
    json["epsilon"] = jsonNumber(cell.epsilon);
    json["lambda"] = jsonLambda(summary.grid.mechanism, cell.lambda);
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
    if (cell.worst) {
        json["worst"] = jsonWorst(*cell.worst);
    }
    if (cell.relativeError) {
        json["relativeError"] = jsonNumber(cell.relativeError);
    }
    return json;
}

}  // namespace epsilens::document
