#include "core/document/evaluation_request.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/pass_on.h"
#include "core/calibration/run.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/mechanism_fields.h"
#include "core/document/session_file.h"
#include "core/io/raw_input.h"

namespace epsilens::document {
namespace {

namespace fs = std::filesystem;

using evaluation::PriorKind;

constexpr std::size_t kMostTasks = 5;
constexpr std::size_t kMostClassifiers = 3;
constexpr Named<attack::taskName, attack::parseTask> kTask{};
constexpr Named<evaluation::classifierName, evaluation::parseClassifier> kClassifier{};
constexpr auto kPrior = oneOf<PriorKind>({{"training", PriorKind::training},
                                          {"uniform", PriorKind::uniform},
                                          {"file", PriorKind::file}});

// Members that sessions of before do not have are written where they are not as they were then.
constexpr auto kAttackOptions = objectOf([](auto& json, auto& attack) {
    json.fieldIf(attack.prior != PriorKind::training, "prior", attack.prior, kPrior);
});

constexpr auto kFile = objectOf([](auto& json, auto& file) {
    json.field("path", file.path, kPath);
    json.field("sha256", file.sha256, Text{64});
});

constexpr auto kDataFields = objectOf([](auto& json, auto& data) { describeData(json, data); });
constexpr auto kLoadFields = objectOf([](auto& json, auto& load) { describeLoad(json, load); });
constexpr auto kOptionFields =
    objectOf([](auto& json, auto& options) { describeEvaluationOptions(json, options); });

constexpr auto kRequest = objectOf([](auto& json, auto& request) {
    json.field("load", request.load, kLoadFields);
    json.field("data", request.data, kDataFields);
    json.field("options", request.options, kOptionFields);
    for (auto& [name, file] :
         {std::pair("stopWords", &request.stopWords), std::pair("onlyWords", &request.onlyWords),
          std::pair("priorFile", &request.prior)}) {
        json.fieldIf(!file->path.empty(), name, *file, kFile);
    }
});

constexpr const char* kRequestMember = "repeat";

}  // namespace

template <typename Fields, typename Data>
void describeData(Fields& json, Data& data) {
    auto& options = data.options;
    json.field("path", options.path, kPath);
    json.fieldIf(!options.testPath.empty(), "testPath", options.testPath, kPath);
    json.field("relativePath", data.relativePath, kPath);
    json.field("textColumn", options.textColumn, kText);
    json.field("labelColumn", options.labelColumn, kText);
    json.field("authorColumn", options.authorColumn, kText);
    json.field("splitColumn", options.splitColumn, kText);
    json.field("format", options.format, Named<io::recordFormatName, io::parseRecordFormat>{});
    json.field("bytes", data.fingerprint.bytes, kCount);
    json.field("sha256", data.fingerprint.sha256, Text{64});
}

template <typename Fields, typename Options>
void describeEvaluationOptions(Fields& json, Options& options) {
    describeGrid(json, options.grid);
    json.field("tasks", options.tasks, listOf(kTask, kMostTasks));
    json.field("classifiers", options.classifiers, listOf(kClassifier, kMostClassifiers));
    json.fieldIf(!options.positive.empty(), "positive", options.positive, kText);
    json.field("unknown", options.policies.unknown,
               Named<release::unknownPolicyName, release::parseUnknownPolicy>{});
    json.field("case", options.policies.letterCase,
               Named<text::casePolicyName, text::parseCasePolicy>{});
    json.field("attack", options.attack, kAttackOptions);
    json.field("perturbTest", options.perturbTest, kFlag);
    json.field("repeats", options.repeats, Integer{1, evaluation::EvaluationOptions::kMostRepeats});
    json.field("seed", options.seed, kCount);
}

template void describeData(FieldWriter& json, const KeptData& data);
template void describeData(FieldReader& json, KeptData& data);
template void describeEvaluationOptions(FieldWriter& json,
                                        const evaluation::EvaluationOptions& options);
template void describeEvaluationOptions(FieldReader& json, evaluation::EvaluationOptions& options);

bool isSameData(const KeptData& first, const KeptData& second) {
    const auto columnsOf = [](const KeptData& data) {
        const corpus::DataSetOptions& options = data.options;
        return std::tie(options.textColumn, options.labelColumn, options.authorColumn,
                        options.splitColumn, options.format);
    };
    return !first.fingerprint.sha256.empty() && first.fingerprint == second.fingerprint &&
           columnsOf(first) == columnsOf(second);
}

std::string dataPlace(const KeptData& data, const std::string& documentPath) {
    SessionEmbedding file;
    file.load.path = data.options.path;
    file.relativePath = data.relativePath;
    const std::vector<std::string> places = embeddingPlaces(file, documentPath);
    const auto found = std::find_if(places.begin(), places.end(), [](const std::string& place) {
        std::error_code error;
        return fs::is_regular_file(place, error) || fs::is_directory(place, error);
    });
    return found == places.end() ? places.front() : *found;
}

std::string placeOf(const std::string& path, const std::string& documentPath) {
    KeptData data;
    data.options.path = path;
    return dataPlace(data, documentPath);
}

Result<InputFile> inputFile(const std::string& path, const std::stop_token& stop) {
    if (path.empty()) {
        return InputFile{};
    }
    ASSIGN_OR_RETURN(const auto input, io::RawInput::open(path, stop));
    ASSIGN_OR_RETURN(auto sha256, input->finish());
    return InputFile{calibration::absolutePath(path), std::move(sha256)};
}

nlohmann::ordered_json jsonRequest(const EvaluationRequest& request) {
    return kRequest.write(request);
}

std::optional<EvaluationRequest> readRequest(const JsonNode& evaluation) {
    const auto node = evaluation.find(kRequestMember);
    if (!node || node->isNull()) {
        return std::nullopt;
    }
    EvaluationRequest request;
    kRequest.read(*node, request);
    return request;
}

}  // namespace epsilens::document
