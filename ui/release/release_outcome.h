#pragma once

#include <QWidget>

#include "ui/release/release_text.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {

class CollapsibleSection;
class ColumnScrollArea;
class NoticeLine;

/// The place for what is said before a release and while it runs, for why it did not start, and for
/// what came of it. It has a height of its own and scrolls, so that nothing around it moves.
class ReleaseOutcome : public QWidget {
    Q_OBJECT

public:
    explicit ReleaseOutcome(QWidget* parent = nullptr);

    /// What a release will meet and promise; empty: nothing is known.
    void showSurvey(const QString& text);
    /// What it will write over, or how long it will still take; empty: nothing.
    void showRemark(const QString& text);
    [[nodiscard]] QString remark() const;
    void present(const Notice& notice);
    void clearNotice();
    void showResult(const ReleaseOutcomeText& text, const QString& path);
    void forgetResult();
    [[nodiscard]] bool hasResult() const { return m_hasResult; }

private:
    void buildResult();
    void arrange();
    void openFolder() const;

    bool m_hasResult = false;
    ColumnScrollArea* m_area;
    NoticeLine* m_notice;
    QLabel* m_survey;
    QLabel* m_remark;
    QLabel* m_summary;
    QWidget* m_place;
    QLineEdit* m_path;
    QPushButton* m_openFolder;
    QLabel* m_details;
    CollapsibleSection* m_section;
};

}  // namespace epsilens::ui
