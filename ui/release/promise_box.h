#pragma once

#include <cstdint>

#include <QFrame>

class QLabel;

namespace epsilens::ui {

class AnalysisState;
class GuaranteeModel;

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
    /// What it says as rich text; empty while it is hidden.
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void changed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void follow();
    void applyTheme();

    const AnalysisState& m_state;
    const GuaranteeModel& m_guarantee;
    std::int64_t m_lineWords = 0;
    bool m_isApplyingTheme = false;
    QLabel* m_text;
};

}  // namespace epsilens::ui
