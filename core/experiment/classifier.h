#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/labelled_tokens.h"

namespace epsilens::experiment {

enum class ClassifierKind {
    linear,    ///< tf-idf of the words, logistic regression (LIBLINEAR, L2R_LR)
    vectors,   ///< mean of the embedding's vectors, the same regression
    fasttext,  ///< the supervised model of fastText
};

/// Reads the names of --classifier: linear, vectors, fasttext. Fails with invalidArgument.
[[nodiscard]] Result<ClassifierKind> parseClassifier(std::string_view name);
/// The name that parseClassifier reads.
[[nodiscard]] std::string_view classifierName(ClassifierKind kind);

struct ClassifierOptions {
    ClassifierKind kind = ClassifierKind::linear;
    std::int32_t classes = 2;
    std::uint64_t seed = 1;
    /// Word vectors, V x m, of the first V words; only for vectors, which must outlive the training
    /// and the model.
    const RowMatrixF* vectors = nullptr;
};

/// A trained classifier of documents.
class TextModel {
public:
    TextModel() = default;
    TextModel(const TextModel&) = delete;
    TextModel& operator=(const TextModel&) = delete;
    virtual ~TextModel() = default;

    /// Probabilities of the classes, documents x classes. Words unknown to the model are passed
    /// over.
    [[nodiscard]] virtual RowMatrixD probabilities(const LabelledTokens& documents) const = 0;
};

/// Trains a classifier on one thread; several tasks may do so at the same time. The model depends
/// on the documents and the options alone.
///
/// linear and vectors take as inverse strength of their regularisation 0.1, 1 or 10, whichever has
/// the highest accuracy in 3-fold cross-validation on the documents, of equals the smallest.
///
/// Fails with unsupported unless two classes and a word occur and, for linear and vectors, there
/// are three documents; and with cancelled: linear and vectors between two fits, fasttext within
/// one.
[[nodiscard]] Result<std::unique_ptr<TextModel>> trainClassifier(const LabelledTokens& documents,
                                                                 const ClassifierOptions& options,
                                                                 const JobContext& job = {});

}  // namespace epsilens::experiment
