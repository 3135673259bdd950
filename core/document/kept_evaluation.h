#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/document/comparison.h"
#include "core/document/evaluation_request.h"
#include "core/evaluation/evaluation.h"

namespace epsilens::document {

/// An evaluation as a session keeps it, without any text of the data set and without guarantees,
/// which follow from the settings.
struct KeptEvaluation {
    KeptData data{};
    evaluation::EvaluationSummary results{};  ///< with the options of the evaluation
};

/// What of an evaluation is kept: no words of the texts, no guarantees, and without `keepsNames`
/// "class 1", "class 2" in place of the names of the classes.
[[nodiscard]] evaluation::EvaluationSummary keptPart(evaluation::EvaluationSummary summary,
                                                     bool keepsNames);

/// Whether a session can keep an evaluation and have it repeated: its data set is known by its
/// bytes, and it used no further files and no positive class, whose name may be a secret.
[[nodiscard]] bool canBeKept(const KeptEvaluation& evaluation);

/// The member of a session that holds an evaluation, to a FieldWriter or from a FieldReader; an
/// optional KeptEvaluation.
///
/// keepsNames  for the writer; see keptPart
template <typename Fields, typename Evaluation>
void describeEvaluation(Fields& json, std::string_view member, Evaluation& evaluation,
                        bool keepsNames);

/// Every value in which an evaluation read from a session differs from the one done again; see
/// differencesBetween. Fails with cancelled.
[[nodiscard]] Result<std::vector<Difference>> evaluationDifferences(const KeptEvaluation& stored,
                                                                    const KeptEvaluation& found);

}  // namespace epsilens::document
