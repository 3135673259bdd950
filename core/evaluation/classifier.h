#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/tokenised_documents.h"

namespace epsilens::evaluation {

/// Documents as lists of word numbers, each with a class.
struct LabelledTokens {
    std::vector<embedding::Row> tokens{};  ///< in [0, words of the classifier)
    std::vector<std::size_t> starts{0};    ///< of the documents, and the end of the last one
    std::vector<std::int32_t> labels{};    ///< in [0, classes)

    [[nodiscard]] std::size_t size() const { return labels.size(); }
    [[nodiscard]] std::span<const embedding::Row> document(std::size_t index) const {
        return std::span(tokens).subspan(starts[index], starts[index + 1] - starts[index]);
    }
    /// Ends the document whose tokens were appended.
    void finishDocument(std::int32_t label) {
        starts.push_back(tokens.size());
        labels.push_back(label);
    }
};

enum class ClassifierKind {
    linear,    ///< tf-idf of the words, logistic regression (LIBLINEAR, L2R_LR)
    vectors,   ///< mean of the embedding's vectors, the same regression
    fasttext,  ///< the supervised model of fastText
};

/// Names of --classifier: "linear", "vectors", "fasttext".
[[nodiscard]] std::string_view classifierName(ClassifierKind kind);
/// Fails with invalidArgument; the message lists the names.
[[nodiscard]] Result<ClassifierKind> parseClassifier(std::string_view name);

struct ClassifierOptions {
    ClassifierKind kind = ClassifierKind::linear;
    std::int32_t classes = 2;
    std::uint64_t seed = 1;
    /// Word vectors, V x m, of the first V words; only for vectors, which must outlive the training
    /// and the model.
    const RowMatrixF* vectors = nullptr;
};

/// A trained classifier: the probabilities of the classes, documents x classes. Words unknown to it
/// are passed over.
using TextModel = std::function<RowMatrixD(const LabelledTokens& documents)>;

/// Trains a classifier on one thread; several tasks may do so at the same time.
///
/// linear and vectors take as inverse strength of their regularisation 0.1, 1 or 10, whichever has
/// the highest accuracy in 3-fold cross-validation on the documents, of equals the smallest.
///
/// Fails with unsupported unless two classes and a word occur and, for linear and vectors, there
/// are three documents; and with cancelled: linear and vectors between two fits, fasttext within
/// one.
[[nodiscard]] Result<TextModel> trainClassifier(const LabelledTokens& documents,
                                                const ClassifierOptions& options,
                                                const JobContext& job = {});

/// Measures of a classifier, all shares in [0, 1]: their names in JSON and limits.
inline constexpr std::array<std::string_view, 5> kMeasures{"accuracy", "macroF1", "precision",
                                                           "recall", "auc"};

/// A value for each measure, NaN where it does not exist.
using Scores = std::array<double, kMeasures.size()>;

/// Scores of predictions. The class with the largest probability is predicted, of equals the first.
///
///   macroF1    mean over the classes that occur or are predicted of 2 TP / (2 TP + FP + FN)
///   precision  of the positive class: TP / (TP + FP), not without predictions of it
///   recall     TP / (TP + FN), not without documents of it
///   auc        probability that a positive document has a larger probability of the positive class
///              than another one, ties counting half
///
/// probabilities  documents x classes
/// labels         one for each document, in [0, classes)
/// positive       nothing: the last three do not exist
[[nodiscard]] Scores scoresOf(const RowMatrixD& probabilities, std::span<const std::int32_t> labels,
                              std::optional<std::int32_t> positive);

[[nodiscard]] std::vector<std::int32_t> predictedClasses(const RowMatrixD& probabilities);

}  // namespace epsilens::evaluation
