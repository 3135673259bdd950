#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QWidget>

#include "core/engine/search_space.h"
#include "core/io/text_decoder.h"
#include "core/mechanism/mechanism.h"
#include "core/release/policies.h"
#include "core/release/table_text.h"
#include "core/release/text_survey.h"
#include "core/report/release_report.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace epsilens::ui {

class AnalysisState;
template <typename Value>
class ChoiceList;

struct ReleaseRequest {
    engine::SearchSpaceHandle space{};
    mechanism::Setting setting{};
    std::string inputPath{};
    io::TextDecoding decoding{};
    release::TableOptions table{};  ///< no columns: all of the file is text
    std::string outputPath{};
    release::ReleasePolicies policies{};
    std::string stopWordsPath{};  ///< empty: none
    std::string sidecarPath{};    ///< empty: none
    std::string agreed{};         ///< to what, as ReleaseReport
};

/// Reads all of a file as its release will, and writes nothing. Only for a regular file.
/// Fails as releaseFile does.
[[nodiscard]] Result<release::TextSurvey> surveyRelease(const ReleaseRequest& request,
                                                        const JobContext& job);

/// The first ten lines of a text before and after a release of their own, which is written nowhere.
/// Fails likewise.
[[nodiscard]] Result<std::vector<release::ExampleLine>> exampleOf(const ReleaseRequest& request,
                                                                  const JobContext& job);

/// As rich text; empty without rows.
[[nodiscard]] QString exampleText(const std::vector<release::ExampleLine>& rows);

/// Releases a file as `epsilens-cli sanitize` does. A stopped job leaves no file: what is not whole
/// was not asked for. Fails as the parts of core/release do, and with cancelled.
[[nodiscard]] Result<report::ReleaseReport> releaseFile(const ReleaseRequest& request,
                                                        const JobContext& job);

/// The fields of a release: the text and its columns, where the result goes, and what happens to
/// words that no mechanism replaces. Nothing that is typed here is remembered.
class ReleaseForm : public QWidget {
    Q_OBJECT

public:
    explicit ReleaseForm(AnalysisState& state, QWidget* parent = nullptr);

    /// Takes over a file and one of its columns, unless the user has named another text.
    ///
    /// column  name, or number from 1
    void suggestFile(const QString& path, const QString& column);
    void takeDropped(const QString& path, const QWidget* target);
    void fillIn(ReleaseRequest& request) const;

    [[nodiscard]] QLineEdit& inputField() const { return *m_input; }
    [[nodiscard]] QLineEdit& outputField() const { return *m_output; }
    [[nodiscard]] QStringList written() const;
    [[nodiscard]] QString unprotectedText() const;

Q_SIGNALS:
    void changed();

private:
    struct Browse {
        const char* objectName = nullptr;
        QString text{};
        QString name{};
        QString description{};
        std::function<QString()> choose{};
    };

    QLineEdit* addPath(QFormLayout& form, const QString& label, QLineEdit* field,
                       const Browse& browse);
    void addFiles(QFormLayout& form);
    void addEncoding(QFormLayout& form);
    void addPolicies(QFormLayout& form);
    void followInput();
    void followColumns();
    void showPolicies();
    /// To be released, names or numbers from 1; none: all of the text is.
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
