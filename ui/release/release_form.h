#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QWidget>

#include "core/io/record_reader.h"
#include "core/io/text_decoder.h"
#include "ui/state/analysis_settings.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {

class AnalysisState;
struct ReleaseRequest;
template <typename Value>
class ChoiceList;

/// Lets a label wrap its text, which can be selected.
QLabel* selectable(QLabel* label, const char* objectName);

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
    [[nodiscard]] QLineEdit& outputField() const { return *m_output; }
    /// The texts that are read, and the files that are written; those that are named.
    [[nodiscard]] QStringList read() const;
    [[nodiscard]] QStringList written() const;
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] bool hasStopWords() const;
    /// A table is released as if all of it were text.
    [[nodiscard]] bool isWholeTable() const;

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A button beside a field for a path, which puts there what `choose` gives.
    struct Browse {
        const char* objectName = nullptr;
        QString text{};
        QString name{};
        QString description{};
        std::function<QString()> choose{};
    };

    [[nodiscard]] QLineEdit* addPath(QFormLayout& form, const QString& label, QLineEdit* field,
                                     const Browse& browse);
    void addFiles(QFormLayout& form);
    void addEncoding(QFormLayout& form);
    void addPolicies(QFormLayout& form);
    void followInput();
    void followColumns();
    void fitPreview();
    void showPolicies();
    [[nodiscard]] std::vector<std::string> columns() const;

    AnalysisState& m_state;
    QLineEdit* m_input = nullptr;
    QLineEdit* m_columns = nullptr;
    ChoiceList<io::RecordFormat>* m_tableFormat = nullptr;
    QLabel* m_preview = nullptr;
    QLineEdit* m_output = nullptr;
    QComboBox* m_encoding = nullptr;
    ChoiceList<io::InvalidBytes>* m_invalid = nullptr;
    QLineEdit* m_mask = nullptr;
    QLineEdit* m_stopWords = nullptr;
    QCheckBox* m_sidecar = nullptr;
    QString m_suggested;      ///< output file, for the input file before or now
    QString m_offered;        ///< input file that was taken over
    QString m_offeredColumn;  ///< its column
    bool m_isTable = false;   ///< the input file
};

}  // namespace epsilens::ui
