#pragma once

#include <cstdint>

#include <QFrame>

#include "ui/release/release_text.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {

class AnalysisState;
class CollapsibleSection;
class ColumnScrollArea;
class GuaranteeModel;
class NoticeLine;

/// The amber box of the dial, above the button that releases: nothing useful is promised for the
/// two words of the dial, or for a line of the text. Hidden where something is.
class PromiseBox : public QFrame {
    Q_OBJECT

public:
    PromiseBox(const AnalysisState& state, const GuaranteeModel& guarantee,
               QWidget* parent = nullptr);

    /// words  that the mechanism replaces in the longest line known; 0: none is known
    void setLine(std::int64_t words);
    /// What is promised for the longest line, in a sentence, whether it is useful or not; empty
    /// while no line is known or there are no words.
    [[nodiscard]] QString ofLine() const;

Q_SIGNALS:
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();
    [[nodiscard]] QString warning() const;

    const AnalysisState& m_state;
    const GuaranteeModel& m_guarantee;
    std::int64_t m_lineWords = 0;
    QLabel* m_text;
};

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
    void present(const Notice& notice);
    void clearNotice();
    void showResult(const ReleaseOutcomeText& text, const QString& path);
    void forgetResult();
    [[nodiscard]] bool hasResult() const { return m_hasResult; }

private:
    void arrange();

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
