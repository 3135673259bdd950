#include "core/evaluation/classifier.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace epsilens::evaluation {
namespace {

constexpr std::array<std::pair<std::string_view, ClassifierKind>, 3> kNames{
    {{"linear", ClassifierKind::linear},
     {"vectors", ClassifierKind::vectors},
     {"fasttext", ClassifierKind::fasttext}}};

}  // namespace

Result<ClassifierKind> parseClassifier(std::string_view name) {
    for (const auto& [known, kind] : kNames) {
        if (name == known) {
            return kind;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("\"{}\" is not one of linear, vectors, fasttext", name));
}

std::string_view classifierName(ClassifierKind kind) {
    return std::find_if(kNames.begin(), kNames.end(),
                        [kind](const auto& entry) { return entry.second == kind; })
        ->first;
}

Result<std::unique_ptr<TextModel>> trainClassifier(const LabelledTokens& documents,
                                                   const ClassifierOptions& options,
                                                   const JobContext& job) {
    const auto& labels = documents.labels;
    if (std::all_of(labels.begin(), labels.end(),
                    [&](std::int32_t label) { return label == labels.front(); })) {
        return fail(ErrorCode::unsupported,
                    "the training documents are all of one class; a classifier needs two");
    }
    if (documents.tokens.empty()) {
        return fail(ErrorCode::unsupported, "the training documents hold no word");
    }
    return options.kind == ClassifierKind::fasttext ? trainFastText(documents, options, job)
                                                    : trainLinear(documents, options, job);
}

}  // namespace epsilens::evaluation
