#pragma once

#include <QDialog>

#include "ui/shell/preferences.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace epsilens::ui {

/// Theme, text size, threads, memory and what is remembered. Changes show at once; Cancel takes
/// them back.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    explicit PreferencesDialog(const Preferences& preferences, QWidget* parent = nullptr);

    /// As the controls stand.
    [[nodiscard]] Preferences preferences() const;

public Q_SLOTS:
    void accept() override;
    void reject() override;

Q_SIGNALS:
    /// Kept and applied.
    void preferencesChanged(const epsilens::ui::Preferences& preferences);

private:
    void buildControls(const Preferences& preferences);
    void tryOut();

    Preferences m_before;
    QComboBox* m_theme;
    QSpinBox* m_text;
    QSpinBox* m_threads;
    QDoubleSpinBox* m_memory;
    QCheckBox* m_rememberNothing;
};

}  // namespace epsilens::ui
