#pragma once

#include <QWidget>

class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace epsilens::ui {

class AnalysisState;
class EmbeddingLoader;
class NumberField;
struct SummaryRow;

/// Which embedding is open, what loading found out about it, and how to open another.
class EmbeddingSection : public QWidget {
    Q_OBJECT

public:
    EmbeddingSection(AnalysisState& state, EmbeddingLoader& loader, QWidget* parent = nullptr);

    /// Rows to load as set by the option, 0 for all.
    [[nodiscard]] qint64 rowLimit() const;
    /// Shows the limit that a session brought; it is not one for the files opened after it.
    void setRowLimit(qint64 rows);
    void forgetRowLimitOfSession();
    /// Switches the limit on, for its number to be typed: of the file that could not be opened.
    void askForRowLimit();

Q_SIGNALS:
    /// The button: let the user choose a file.
    void openRequested();
    /// Load this again, with the limit as it is now.
    void reloadRequested(const QString& path);

private:
    void buildLimitRow(QGridLayout& grid, int row);
    /// What is open, or what could not be opened while nothing is or a limit is asked for it.
    [[nodiscard]] QString reloadPath() const;
    void showSummary();
    void addSummaryRow(const SummaryRow& entry);

    AnalysisState& m_state;
    EmbeddingLoader& m_loader;
    QLabel* m_name;
    QPushButton* m_open;
    QGridLayout* m_summary;
    QCheckBox* m_limit;
    NumberField* m_limitRows;
    QPushButton* m_reload;
    bool m_limitIsOfSession = false;
    bool m_limitIsOfFailed = false;
};

}  // namespace epsilens::ui
