#pragma once

#include <string>
#include <vector>

#include <QWidget>

#include "ui/release/table_start.h"
#include "ui/state/analysis_settings.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {

class AnalysisState;
class EncodingChoice;
struct ReleaseRequest;

/// The fields of a release: the text and its columns, where the result goes, and what happens to
/// words that no mechanism replaces. Nothing that is typed here is remembered.
class ReleaseForm : public QWidget {
    Q_OBJECT

public:
    explicit ReleaseForm(AnalysisState& state, QWidget* parent = nullptr);

    /// Takes over a file and one of its columns, unless the user has named another text.
    ///
    /// column  name, or number from 1
    void offer(const QString& path, const QString& column);
    void takeDropped(const QString& path, const QWidget* target);
    /// Puts into a request what the fields say.
    void fillIn(ReleaseRequest& request) const;

    [[nodiscard]] QLineEdit& inputField() const { return *m_input; }
    [[nodiscard]] QLineEdit& columnsField() const { return *m_columns; }
    [[nodiscard]] QLineEdit& outputField() const { return *m_output; }
    /// The texts that are read, and the files that are written; those that are named.
    [[nodiscard]] QStringList read() const;
    [[nodiscard]] QStringList written() const;
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] bool hasStopWords() const;
    /// A table is released as if all of it were text.
    [[nodiscard]] bool isWholeTable() const;
    /// Why the text does not have these columns; empty if it has, or that is not known.
    [[nodiscard]] QString columnProblem() const;
    [[nodiscard]] TextPolicies policies() const;

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildFiles(QFormLayout& form);
    void buildPolicies(QFormLayout& form);
    void connectControls();
    void chooseInput();
    void chooseOutput();
    void chooseStopWords();
    void followInput();
    void followColumns();
    void fitPreview();
    void showPolicies();
    [[nodiscard]] std::vector<std::string> columns() const;
    [[nodiscard]] io::RecordFormat tableFormat() const;

    AnalysisState& m_state;
    QLineEdit* m_input;
    QPushButton* m_browseInput;
    QLineEdit* m_columns;
    QComboBox* m_tableFormat;
    QLabel* m_preview;
    QLineEdit* m_output;
    QPushButton* m_browseOutput;
    EncodingChoice* m_encoding;
    QComboBox* m_unknown;
    QLineEdit* m_mask;
    QComboBox* m_letterCase;
    QLineEdit* m_stopWords;
    QPushButton* m_browseStopWords;
    QCheckBox* m_sidecar;
    QString m_suggested;      ///< output file, for the input file before or now
    QString m_offered;        ///< input file that was taken over
    QString m_offeredColumn;  ///< its column
    TableStart m_start;       ///< of the input file
};

}  // namespace epsilens::ui
