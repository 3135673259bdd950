#pragma once

#include <functional>
#include <vector>

#include <QFont>
#include <QWidget>

class QLabel;
class QPushButton;

namespace epsilens::ui {

class DialModel;
class DialPanel;

namespace live {
class LiveModel;
}  // namespace live

/// The analysis for an audience: large text, the dial, and five steps that keys go through.
class Presentation : public QWidget {
    Q_OBJECT

public:
    /// dial, live  must outlive it, and be active to have something to say
    Presentation(DialModel& dial, const live::LiveModel& live, QWidget* parent);

    void showStep(int step);
    [[nodiscard]] int step() const { return m_step; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Step {
        QString title{};
        std::function<QString()> text{};  ///< what the current setting says then, as rich text
    };

    [[nodiscard]] QPushButton* addStepButton(const char* name, const QString& text, int by);
    void showText();
    void fit();

    std::vector<Step> m_steps;
    QFont m_usualFont;  ///< of the window
    QLabel* m_title;
    QLabel* m_text;
    DialPanel* m_dialPanel;
    QLabel* m_keys;
    QPushButton* m_back;
    QPushButton* m_next;
    int m_step = 0;
};

}  // namespace epsilens::ui
