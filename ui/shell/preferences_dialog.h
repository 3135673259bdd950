#pragma once

#include <QDialog>

#include "ui/shell/preferences.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;

namespace epsilens::ui {

class NumberField;
class WholeNumberBox;

/// Theme, text size, threads, memory and what is remembered. Changes show at once; Cancel takes
/// them back, and OK waits while something typed is not taken.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    explicit PreferencesDialog(const Preferences& preferences, QWidget* parent = nullptr);

    /// As the controls stand.
    [[nodiscard]] Preferences preferences() const;

public Q_SLOTS:
    void accept() override;
    void reject() override;

private:
    [[nodiscard]] QFormLayout* buildForm();
    void setValues(const Preferences& preferences);
    void tryOut();
    void showProblem(const QString& problem);

    Preferences m_before;
    QComboBox* m_theme;
    WholeNumberBox* m_text;
    WholeNumberBox* m_threads;
    NumberField* m_memory;
    QCheckBox* m_rememberNothing;
    QLabel* m_problem;
    bool m_hasRefused = false;  ///< since OK was last pressed
};

}  // namespace epsilens::ui
