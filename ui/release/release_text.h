#pragma once

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
/// Which of the files that are read would be written over; empty if none.
[[nodiscard]] QString inputInDanger(const QStringList& read, const QStringList& written);
/// Which of these files, that are there already, a release replaces; empty if none.
[[nodiscard]] QString releaseReplacementText(const QStringList& paths);
/// What came of a release.
struct ReleaseOutcomeText {
    QString summary{};      ///< one sentence: how many words, and what became of them
    QStringList details{};  ///< a line per remark, warnings first
    int warnings = 0;       ///< among the details
};
[[nodiscard]] ReleaseOutcomeText releaseOutcomeText(const report::ReleaseReport& report);
/// "text.txt" becomes "text.released.txt", in the folder that files were last written to.
[[nodiscard]] QString suggestedOutput(const QString& input);
/// What to say of a text that cannot be released, with the controls that help.
[[nodiscard]] Notice releaseRefusal(const Error& error);
/// The absolute path of a file that was named, empty where none was. A name alone is of a file,
/// also that which stands for standard input elsewhere.
[[nodiscard]] std::string absolutePath(const QString& named);
/// The names of columns between commas.
[[nodiscard]] std::vector<std::string> columnNames(const QString& typed);
/// Where counts and guarantee of a released text go.
[[nodiscard]] QString sidecarFor(const QString& output);

}  // namespace epsilens::ui
