#pragma once

#include <QStringList>
#include <QWidget>

#include "core/document/report_document.h"

class QAction;
class QFrame;
class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace epsilens::ui {

class AnalysisState;
class ElidedLabel;
class MechanismBar;

/// The current setting on one line: the embedding, with a menu of others; the mechanism and what is
/// turned most often of it; the analyst's own texts, with a menu; limits; what is pinned, with a
/// button that unpins it; and the button that opens the details.
class SettingBar : public QWidget {
    Q_OBJECT

public:
    explicit SettingBar(AnalysisState& state, QWidget* parent = nullptr);

    /// menu  of embeddings to open instead; outlives the bar
    void offer(QMenu& menu);
    /// menu  of what can be done about the analyst's own texts; outlives the bar
    void offerData(QMenu& menu);
    /// text  names the own texts and says how much of them is known; or that there are none
    /// unknown  which words of them are not known
    void showData(const QString& text, const QString& unknown = {});
    /// details  opens and closes them
    void offer(QAction* details);
    void focusLambda();
    /// How many of the limits set are met at the settings; nothing is shown for no limits.
    ///
    /// lines  each limit with its value, for who points at it
    void showLimits(const document::LimitCounts& status, const QStringList& lines = {});

private:
    /// A line before a part.
    [[nodiscard]] QFrame* addLine();
    /// A text of a part and its button.
    ///
    /// button   null: none
    /// stretch  of the room that is left, the text's share
    [[nodiscard]] ElidedLabel* addText(const char* objectName, QToolButton* button, int stretch);
    [[nodiscard]] QToolButton* addButton(const char* objectName, const QString& text,
                                         const QString& name, const QString& description);
    void refresh();
    void fitTexts();

    AnalysisState& m_state;
    QHBoxLayout* m_row;
    QToolButton* m_open;
    ElidedLabel* m_embedding;
    MechanismBar* m_mechanism;
    QFrame* m_dataLine;
    QToolButton* m_dataMenu;
    ElidedLabel* m_data;
    QFrame* m_limitsLine;
    ElidedLabel* m_limits;
    QFrame* m_pinLine;
    QToolButton* m_unpin;
    ElidedLabel* m_pin;
    QToolButton* m_details;
};

}  // namespace epsilens::ui
