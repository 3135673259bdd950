#pragma once

#include <QWidget>

#include "ui/dial/dial_model.h"

class QLabel;
class QPushButton;

namespace epsilens::ui {

class DialView;
class NumberField;

/// The dial and, beside it, where epsilon is decided: its field, Find ε, what survives, what is
/// promised, what an attacker guesses and whether the limits are met.
class DialPanel : public QWidget {
    Q_OBJECT

public:
    static constexpr int kSideWidth = 352;  ///< of what stands beside the dial, for usual text

    explicit DialPanel(DialModel& model, QWidget* parent = nullptr);

    /// In a low window every dial is low.
    ///
    /// always  whatever the window, and without words: for one that says them and knows its room
    void setLarge(bool isLarge, bool always = false);
    void focusEpsilon();
    [[nodiscard]] DialModel& model() { return m_model; }
    [[nodiscard]] DialView& view() { return *m_view; }

Q_SIGNALS:
    void promiseHelpRequested();
    void attackersRequested();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* buildSide();
    void buildField();
    void showPicture();
    void showReading();
    void showSearch();
    [[nodiscard]] bool isLow() const;
    void arrange();

    DialModel& m_model;
    DialView* m_view;
    NumberField* m_epsilon;
    QPushButton* m_find;
    QLabel* m_problem;
    QLabel* m_survive;
    QLabel* m_replaced;
    QLabel* m_promise;
    QLabel* m_other;
    QLabel* m_attacker;
    QLabel* m_limits;
    QLabel* m_line;  ///< all of it in one sentence, beside a low dial
    QPushButton* m_measure;
    bool m_isLarge = true;
    bool m_isAlways = false;
};

}  // namespace epsilens::ui
