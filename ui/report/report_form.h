#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace epsilens::ui {

class ReportDraft;
class RestTimer;

/// The fields of a report, beside its preview.
class ReportForm : public QWidget {
    Q_OBJECT

public:
    explicit ReportForm(ReportDraft& draft, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* firstControl() const;
    /// Takes over what was typed a moment ago.
    void commit();

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildMissing();
    void buildSetting();
    void buildConfidential();
    void buildTexts();
    [[nodiscard]] QLineEdit* addLine(const QString& label, const char* name,
                                     const QString& description);
    [[nodiscard]] QPlainTextEdit* addText(const QString& label, const char* name,
                                          const QString& description);
    [[nodiscard]] QComboBox* addCombo(const QString& label, const char* name,
                                      const QString& description);
    void showSettings();
    void showSetting();
    void showLimits();
    void showMissing();
    void showPair();

    ReportDraft& m_draft;
    QFormLayout* m_form;
    RestTimer* m_rest;  ///< until typing rests
    bool m_showing = false;
    QLineEdit* m_title = nullptr;
    QLineEdit* m_author = nullptr;
    QLineEdit* m_date = nullptr;
    QPlainTextEdit* m_purpose = nullptr;
    QLineEdit* m_source = nullptr;
    QPlainTextEdit* m_alternatives = nullptr;
    QPlainTextEdit* m_reason = nullptr;
    QLabel* m_missing = nullptr;
    QLabel* m_setting = nullptr;
    QLabel* m_limits = nullptr;
    QComboBox* m_trained = nullptr;
    QCheckBox* m_sentence = nullptr;
    QCheckBox* m_pair = nullptr;
};

}  // namespace epsilens::ui
