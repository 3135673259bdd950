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

/// The first line of the window: embedding, mechanism with its parameters, own texts, limits, pin,
/// release, details. Where there is no room the mechanism gives way first, then the ends of names.
class SettingBar : public QWidget {
    Q_OBJECT

public:
    explicit SettingBar(AnalysisState& state, QWidget* parent = nullptr);

    void setEmbeddingMenu(QMenu& menu);
    void setDataMenu(QMenu& menu);
    /// text  names the own texts and says how much of them is known; or that there are none
    /// unknown  which words of them are not known
    void showData(const QString& text, const QString& unknown = {});
    void setActions(QAction* release, QAction* details);
    void focusLambda();
    void showLimits(const document::LimitCounts& status, const QStringList& lines = {});

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QFrame* addLine();
    [[nodiscard]] ElidedLabel* addText(const char* objectName, QToolButton* button, int stretch);
    [[nodiscard]] QToolButton* addButton(const char* objectName, const QString& text,
                                         const QString& name, const QString& description);
    void refresh();
    void fitTexts();

    AnalysisState& m_state;
    QHBoxLayout* m_row;
    QToolButton* m_open;
    ElidedLabel* m_embedding;
    QWidget* m_mechanism;
    QFrame* m_dataLine;
    QToolButton* m_dataMenu;
    ElidedLabel* m_data;
    QFrame* m_limitsLine;
    QLabel* m_limits;
    QFrame* m_pinLine;
    QToolButton* m_unpin;
    QToolButton* m_release;
    QToolButton* m_details;
};

}  // namespace epsilens::ui
