#pragma once

#include <QWidget>

class QAction;
class QFrame;
class QLabel;
class QMenu;
class QToolButton;

namespace epsilens::document {
struct LimitCounts;
}

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
    QFrame* addLine();
    [[nodiscard]] QToolButton* addMenuButton(const char* objectName, const QString& name,
                                             const QString& description);
    void addWithMenu(ElidedLabel* text, QToolButton* button, int stretch);
    void addEmbedding();
    void addData();
    void addPin();
    void addDetails();
    void showPin();
    void refresh();
    void keepNameInSight();
    void keepVerdictInSight();

    AnalysisState& m_state;
    ElidedLabel* m_embedding;
    QToolButton* m_open;
    MechanismBar* m_mechanism;
    QFrame* m_dataLine;
    ElidedLabel* m_data;
    QToolButton* m_dataMenu;
    QFrame* m_limitsLine;
    ElidedLabel* m_limits;
    QFrame* m_pinLine;
    QLabel* m_pin;
    QToolButton* m_unpin;
    QToolButton* m_details;
    QString m_spokenLimits;
};

}  // namespace epsilens::ui
