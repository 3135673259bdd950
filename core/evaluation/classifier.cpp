#include "core/evaluation/classifier.h"

#include <algorithm>

#include "core/base/enum_names.h"

namespace epsilens::evaluation {
namespace {

constexpr EnumNames<ClassifierKind, 3> kNames{{{"linear", ClassifierKind::linear},
                                               {"vectors", ClassifierKind::vectors},
                                               {"fasttext", ClassifierKind::fasttext}}};

}  // namespace

Result<ClassifierKind> parseClassifier(std::string_view name) {
    return valueIn(kNames, name);
}

std::string_view classifierName(ClassifierKind kind) {
    return nameIn(kNames, kind);
}

Result<TextModel> trainClassifier(const LabelledTokens& documents, const ClassifierOptions& options,
                                  const JobContext& job) {
    const auto& labels = documents.labels;
    if (std::ranges::all_of(labels, [&](std::int32_t label) { return label == labels.front(); })) {
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
