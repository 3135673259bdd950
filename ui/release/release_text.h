#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/base/error.h"
#include "core/release/text_survey.h"
#include "core/report/release_report.h"
#include "ui/state/analysis_settings.h"
#include "ui/widgets/notice_line.h"

namespace epsilens::ui {

class AnalysisState;
class GuaranteeModel;

/// With which mechanism, parameters and vectors the words of a file will be processed. Empty
/// without vectors.
[[nodiscard]] QString releaseSettingText(const AnalysisState& state);
/// What will not be protected, and what will be changed that should perhaps stay.
///
/// isWholeTable  a table is processed as if all of it were text
[[nodiscard]] QString releaseUnprotectedText(const TextPolicies& policies, bool hasStopWords,
                                             bool isWholeTable);
/// "34 % of the words are unknown and would be masked, most often: …", and a warning where common
/// words are among them.
///
/// isTable  the text is the columns of a table
[[nodiscard]] QString surveyText(const release::TextSurvey& survey, release::UnknownPolicy unknown,
                                 bool isTable);
/// What is promised for the longest line, and for the two words where that is of no use; empty
/// without two words.
///
/// lineWords  that the mechanism replaces in the longest line known; 0: none is known
[[nodiscard]] QString releasePromiseText(const GuaranteeModel& guarantee, double epsilon,
                                         std::int64_t lineWords);
/// Which of the files that are read would be written over; empty if none.
[[nodiscard]] QString inputInDanger(const QStringList& read, const QStringList& written);
/// Which of these files, that are there already, a release replaces; empty if none.
[[nodiscard]] QString releaseReplacementText(const QStringList& paths);
/// "text.txt" becomes "text.released.txt", in the folder that files were last written to.
[[nodiscard]] QString suggestedOutput(const QString& input);
/// What to say of a text that cannot be released, with the controls that help.
[[nodiscard]] Notice releaseRefusal(const Error& error);
/// The names of columns between commas.
[[nodiscard]] std::vector<std::string> columnNames(const QString& typed);

}  // namespace epsilens::ui
