#pragma once

#include <QDialog>

#include "ui/release/release_form.h"

namespace epsilens::ui {

class AnalysisState;
class GuaranteeModel;
class JobBoard;
class LimitVerdicts;

/// isTable  the text is the columns of a table
[[nodiscard]] QString surveyText(const release::TextSurvey& survey, release::UnknownPolicy unknown,
                                 bool isTable);

/// Run → Release text…: releases a text file with the mechanism the window stands at. Says before
/// the start what will not be protected, and shows the counts at the end.
class ReleaseDialog : public QDialog {
    Q_OBJECT

public:
    using QDialog::QDialog;

    virtual void suggestFile(const QString& path, const QString& column) = 0;

Q_SIGNALS:
    void released(const QString& what);
};

[[nodiscard]] ReleaseDialog* newReleaseDialog(AnalysisState& state, const LimitVerdicts& limits,
                                              JobBoard& jobs, const GuaranteeModel& guarantee,
                                              QWidget* parent = nullptr);

}  // namespace epsilens::ui
