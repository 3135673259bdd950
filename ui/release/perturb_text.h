#pragma once

#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/base/error.h"
#include "core/report/release_report.h"
#include "ui/state/analysis_settings.h"
#include "ui/widgets/notice_line.h"

namespace epsilens::ui {

class AnalysisState;

/// With which mechanism, parameters and vectors the words of a file will be processed. Empty
/// without vectors.
[[nodiscard]] QString perturbSettingText(const AnalysisState& state);
/// What will not be protected, and what will be changed that should perhaps stay.
///
/// isWholeTable  a table is processed as if all of it were text
[[nodiscard]] QString perturbUnprotectedText(const TextPolicies& policies, bool hasStopWords,
                                             bool guaranteesNothing, bool isWholeTable);
/// Which of the files that are read would be written over; empty if none.
[[nodiscard]] QString perturbInputInDanger(const QStringList& read, const QStringList& written);
/// Which of these files, that are there already, a release replaces; empty if none.
[[nodiscard]] QString perturbReplacementText(const QStringList& paths);
/// What came of a release, a line per remark.
[[nodiscard]] QStringList perturbResultLines(const report::ReleaseReport& report);
/// "text.txt" becomes "text.perturbed.txt".
[[nodiscard]] QString suggestedOutput(const QString& input);
/// What to say of a text that cannot be released, with the controls that help.
[[nodiscard]] Notice perturbRefusal(const Error& error);
/// The absolute path of a file that was named, empty where none was. A name alone is of a file,
/// also that which stands for standard input elsewhere.
[[nodiscard]] std::string perturbPath(const QString& named);
/// The names of columns between commas.
[[nodiscard]] std::vector<std::string> columnNames(const QString& typed);
/// Where counts and guarantee of a released text go.
[[nodiscard]] QString sidecarFor(const QString& output);

}  // namespace epsilens::ui
