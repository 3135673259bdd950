#pragma once

#include <QString>

#include "core/release/policies.h"
#include "core/release/text_survey.h"

/// What is said of the words of a text that the embedding does not know.
namespace epsilens::ui {

/// "would be masked".
[[nodiscard]] QString fateOfUnknown(release::UnknownPolicy policy);

/// The most frequent ones with their counts: "u (1,132), ur (390)"; empty without any.
[[nodiscard]] QString mostUnknownText(const release::TextSurvey& survey);

/// Everyday words that the embedding lacks: it may be one of another language, or of words in
/// another letter case. Empty where there are none.
[[nodiscard]] QString commonUnknownWarning(const release::TextSurvey& survey,
                                           release::UnknownPolicy policy);

}  // namespace epsilens::ui
