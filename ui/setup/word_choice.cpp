#include "ui/setup/setup_panel.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/base/pass_on.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/embedding/word_list.h"
#include "core/engine/word_sample.h"
#include "core/text/data_set.h"
#include "ui/state/controls.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using calibration::Row;
using calibration::WordSelection;

/// Where the words come from that statistics are taken over.
enum class WordOrigin { random, all, list, dataSet, sparsest, densest };

/// Words of the vocabulary that a file holds.
struct WordsOfFile {
    QString file{};
    std::vector<Row> rows{};                ///< rising, each once
    std::int64_t words = 0;                 ///< of the file: lines of a list, tokens of a data set
    std::int64_t unknown = 0;               ///< of them
    std::optional<std::int64_t> records{};  ///< of a data set
    std::string column{};                   ///< of a data set
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< of a data set
};

class WordChoice : public QWidget {
public:
    WordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs, QWidget* parent);

private:
    void buildRows();
    void connectRows();
    void forget();
    void followEmbedding();
    void follow(const AnalysisSettings& before, const AnalysisSettings& now);
    [[nodiscard]] std::int64_t randomCount() const;
    void chooseOrigin();
    void chooseFile();
    void readFile();
    void takeFile(Result<WordsOfFile> words);
    void applyCount();
    void drawWords();
    void applyWordsOfFile();
    void applyExtremes();
    [[nodiscard]] calibration::SelectionDescription sourceOf(const WordsOfFile& words) const;
    void showWords();
    void showControls();
    void refuseFile(const QString& problem);
    void showHint(const QString& problem = {});
    [[nodiscard]] QString hint() const;

    AnalysisState& m_state;
    SessionResults& m_results;
    ChoiceList<WordOrigin>* m_origin;
    NumberField* m_count;
    QLineEdit* m_column;
    QLabel* m_columnLabel = nullptr;
    QPushButton* m_fileButton;
    QWidget* m_density;  ///< around a button that shows and hides itself
    QLabel* m_hint;
    WordOrigin m_chosen = WordOrigin::random;
    QString m_path;  ///< of the list or data set
    std::optional<WordsOfFile> m_file;
    std::vector<Row> m_rows;  ///< set by this choice; others come from elsewhere
    JobRunner<WordsOfFile> m_reader;
};

constexpr double kFewestWords = 10.0;
constexpr int kExtremeWords = 50;

bool isExtreme(WordOrigin origin) {
    return origin == WordOrigin::sparsest || origin == WordOrigin::densest;
}

bool isFile(WordOrigin origin) {
    return origin == WordOrigin::list || origin == WordOrigin::dataSet;
}

Result<WordsOfFile> wordsOfList(const std::string& path,
                                const embedding::EmbeddingHandle& embedding,
                                const JobContext& job) {
    ASSIGN_OR_RETURN(auto list,
                     embedding::findListedWords(path, embedding->vocabulary(), job.stop));
    WordsOfFile found;
    found.words = list.words;
    found.rows = std::move(list.rows);
    found.unknown = found.words - static_cast<std::int64_t>(found.rows.size());
    std::sort(found.rows.begin(), found.rows.end());
    return found;
}

Result<WordsOfFile> wordsOfData(const io::RecordOptions& options, text::CasePolicy letterCase,
                                const embedding::EmbeddingHandle& embedding,
                                const JobContext& job) {
    const embedding::Vocabulary& vocabulary = embedding->vocabulary();
    const text::Lookup lookup(vocabulary, text::decideCasePolicy(letterCase, vocabulary));
    ASSIGN_OR_RETURN(const auto data, text::readDataSet(options, lookup, 0, job));
    WordsOfFile found;
    found.rows = data.words();
    found.words = data.tokens();
    found.unknown = data.unknownTokens();
    found.records = data.records();
    found.column = data.column;
    found.letterCase = letterCase;
    return found;
}

WordChoice::WordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                       QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_results(results),
      m_origin(new ChoiceList<WordOrigin>("wordsComboBox", tr("Words"),
                                          tr("Words the statistics are taken over."),
                                          {{WordOrigin::random, tr("Random")},
                                           {WordOrigin::all, tr("All words")},
                                           {WordOrigin::list, tr("A list")},
                                           {WordOrigin::dataSet, tr("A data set")},
                                           {WordOrigin::sparsest, tr("Sparsest")},
                                           {WordOrigin::densest, tr("Densest")}},
                                          this)),
      m_count(described(
          new NumberField({kFewestWords, kFewestWords, false, true, tr("number of words")}, this),
          "wordCountField", tr("Number of words"), tr("How many of these words."))),
      m_column(described(new QLineEdit(this), "wordsColumnLineEdit", tr("Column of the data set"),
                         tr("The name in the first line, or the number, of the column that holds "
                            "the text; leave it empty if there is only one."))),
      m_fileButton(described(
          new QPushButton(tr("Choose &file…"), this), "wordsFileButton",
          tr("Choose the file with the words"),
          tr("One word per line, or texts whose words are measured; plain or compressed."))),
      m_density(new QWidget(this)),
      m_hint(hintLabel({}, this)),
      m_reader(tr("Reading the words"),
               [this](Result<WordsOfFile> words) { takeFile(std::move(words)); }) {
    jobs.watch(&m_reader);
    buildRows();
    connectRows();
    followEmbedding();
}

void WordChoice::buildRows() {
    keepFieldWidth(m_count);
    m_column->setPlaceholderText(tr("the only one"));
    auto* density = densityButton(m_results, tr("Compute distances"), m_density);
    density->setObjectName(QStringLiteral("wordsDensityButton"));
    columnIn(m_density, 0, {density});
    m_hint->setObjectName(QStringLiteral("wordsHintLabel"));
    m_hint->setWordWrap(true);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(kRowSpacing);
    addLabelledRow(*grid, tr("Words"), m_origin);
    grid->addWidget(m_count, 1, 2);
    grid->addWidget(m_fileButton, 2, 1, 1, 2);
    m_columnLabel = addLabelledRow(*grid, tr("Column"), m_column);
    grid->addWidget(m_density, 4, 0, 1, 3);
    grid->addWidget(m_hint, 5, 0, 1, 3);
}

void WordChoice::connectRows() {
    connect(m_origin, &QComboBox::currentIndexChanged, this, &WordChoice::chooseOrigin);
    connect(m_fileButton, &QPushButton::clicked, this, &WordChoice::chooseFile);
    connect(m_count, &NumberField::valueEdited, this, &WordChoice::applyCount);
    connect(m_count, &NumberField::problemChanged, this, &WordChoice::showHint);
    connect(m_column, &QLineEdit::editingFinished, this, [this] {
        if (m_column->isModified()) {
            m_column->setModified(false);
            readFile();
        }
    });
    connect(&m_state, &AnalysisState::changed, this, &WordChoice::follow);
    connect(&m_state, &AnalysisState::embeddingDropped, this, &WordChoice::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &WordChoice::followEmbedding);
    connect(&m_results, &SessionResults::densityChanged, this, &WordChoice::applyExtremes);
}

void WordChoice::forget() {
    m_reader.drop();
    m_file.reset();
    m_rows.clear();
}

void WordChoice::followEmbedding() {
    const auto& embedding = m_state.embedding();
    const double most =
        embedding ? static_cast<double>(embedding->wordCount()) : std::numeric_limits<int>::max();
    m_count->setLimits({std::min(kFewestWords, most), most, false, true, tr("number of words")});
    setFieldProblem(*m_column, {});
    showWords();
}

void WordChoice::follow(const AnalysisSettings& before, const AnalysisSettings& now) {
    // Rows drawn with another seed are not those that the commands which name the seed choose.
    const bool isDrawnAnew =
        now.seed != before.seed && m_chosen == WordOrigin::dataSet && m_file.has_value();
    if (isDrawnAnew) {
        drawWords();
    }
    if (now.words != before.words) {
        showWords();
    } else if (isDrawnAnew) {
        applyWordsOfFile();
    }
    if (m_chosen == WordOrigin::dataSet &&
        now.textPolicies.letterCase != before.textPolicies.letterCase) {
        readFile();
    }
}

/// Of an embedding with fewer words, all; the number wanted is kept for the next one.
std::int64_t WordChoice::randomCount() const {
    const std::int64_t wanted = m_state.words().count;
    return m_state.embedding() ? std::min<std::int64_t>(wanted, m_state.embedding()->wordCount())
                               : wanted;
}

void WordChoice::chooseOrigin() {
    m_chosen = m_origin->value();
    m_reader.cancel();
    m_file.reset();
    setFieldProblem(*m_column, {});
    switch (m_chosen) {
        case WordOrigin::random:
            m_state.edit(&AnalysisSettings::words,
                         {WordSelection::Kind::random, m_state.words().count, {}});
            m_count->setValue(static_cast<double>(randomCount()));
            break;
        case WordOrigin::all:
            m_state.edit(&AnalysisSettings::words,
                         {WordSelection::Kind::all, m_state.words().count, {}});
            break;
        case WordOrigin::list:
        case WordOrigin::dataSet:
            m_path.clear();
            break;
        case WordOrigin::sparsest:
        case WordOrigin::densest:
            m_count->setValue(std::min<double>(
                kExtremeWords, m_state.embedding()
                                   ? static_cast<double>(m_state.embedding()->wordCount())
                                   : kExtremeWords));
            applyExtremes();
            break;
    }
    showControls();
}

void WordChoice::chooseFile() {
    const bool isList = m_chosen == WordOrigin::list;
    const QString path = dialogs::openFile(
        this, isList ? tr("List of words, one per line") : tr("Data set whose words are measured"),
        {tr("All files (*)"), tr("Texts (*.txt *.csv *.tsv)")});
    if (path.isEmpty()) {
        return;
    }
    m_path = path;
    m_column->clear();
    showControls();
    readFile();
}

void WordChoice::readFile() {
    if (m_path.isEmpty() || !m_state.embedding()) {
        return;
    }
    showHint();
    // Until then the words are those of another column.
    setFieldProblem(*m_column, tr("the column is being read"));
    const bool isList = m_chosen == WordOrigin::list;
    const io::RecordOptions options{toStdPath(m_path), toStd(m_column->text()),
                                    io::RecordFormat::automatic};
    m_reader.start([isList, options, embedding = m_state.embedding(),
                    letterCase = m_state.textPolicies().letterCase](const JobContext& job) {
        return isList ? wordsOfList(options.path, embedding, job)
                      : wordsOfData(options, letterCase, embedding, job);
    });
}

void WordChoice::takeFile(Result<WordsOfFile> words) {
    // Something else was chosen, or opened, in the meantime.
    if (!isFile(m_chosen) || m_path.isEmpty()) {
        return;
    }
    if (!words) {
        const bool isCancelled = words.error().code == ErrorCode::cancelled;
        refuseFile(isCancelled ? QString() : toQString(words.error().message));
        return;
    }
    const QString name = QFileInfo(m_path).fileName();
    if (words->rows.empty()) {
        refuseFile(
            tr("%1: none of its %2 words is in the embedding").arg(name, counted(words->words)));
        return;
    }
    setFieldProblem(*m_column, {});
    words->file = name;
    m_file = std::move(*words);
    applyWordsOfFile();
    showControls();
}

void WordChoice::refuseFile(const QString& problem) {
    setFieldProblem(*m_column, problem);
    showHint(problem);
}

void WordChoice::applyCount() {
    if (m_chosen == WordOrigin::random) {
        m_state.edit(
            &AnalysisSettings::words,
            {WordSelection::Kind::random, static_cast<std::int64_t>(m_count->value()), {}});
    } else if (isExtreme(m_chosen)) {
        applyExtremes();
    } else if (m_file) {
        applyWordsOfFile();
    }
}

void WordChoice::drawWords() {
    m_rows = m_chosen == WordOrigin::dataSet
                 ? engine::sampleWords(m_file->rows, static_cast<std::int64_t>(m_count->value()),
                                       m_state.seed())
                 : m_file->rows;
}

void WordChoice::applyWordsOfFile() {
    drawWords();
    const WordSelection words{WordSelection::Kind::list, m_state.words().count, m_rows};
    m_state.edit([&](auto& settings) { settings.chooseWords(words, sourceOf(*m_file)); });
    showHint();
}

calibration::SelectionDescription WordChoice::sourceOf(const WordsOfFile& words) const {
    if (!words.records) {
        return {"@" + toStd(words.file), {}, {}, 0};
    }
    return {std::to_string(static_cast<std::int64_t>(m_count->value())),
            toStd(words.file),
            words.column,
            *words.records,
            io::RecordFormat::automatic,
            words.letterCase};
}

void WordChoice::applyExtremes() {
    const VocabularyDensityHandle& density = m_results.density();
    if (density && isExtreme(m_chosen)) {
        std::vector<Row> all(static_cast<std::size_t>(m_state.embedding()->wordCount()));
        std::iota(all.begin(), all.end(), 0);
        const auto count = static_cast<std::int64_t>(m_count->value());
        m_rows = m_chosen == WordOrigin::sparsest
                     ? calibration::sparsestWords(density->profile, count, all)
                     : calibration::densestWords(density->profile, count, all);
        std::sort(m_rows.begin(), m_rows.end());
        const WordSelection words{WordSelection::Kind::list, m_state.words().count, m_rows};
        const std::string from = m_chosen == WordOrigin::sparsest ? "sparsest:" : "densest:";
        m_state.edit([&](auto& settings) {
            settings.chooseWords(words, {{from + std::to_string(count), {}, {}, 0}});
        });
    }
    showControls();
}

/// What another control set, such as undo, is shown as what it is.
void WordChoice::showWords() {
    const WordSelection& words = m_state.words();
    if (words.kind == WordSelection::Kind::list) {
        const bool isOwn = words.rows == m_rows && !m_rows.empty();
        m_chosen = isOwn && (isFile(m_chosen) || isExtreme(m_chosen)) ? m_chosen : WordOrigin::list;
    } else {
        m_chosen = words.kind == WordSelection::Kind::all ? WordOrigin::all : WordOrigin::random;
        m_count->setValue(static_cast<double>(randomCount()));
    }
    m_origin->show(m_chosen);
    showControls();
}

void WordChoice::showControls() {
    m_count->setEnabled(m_chosen != WordOrigin::all && m_chosen != WordOrigin::list);
    const bool isData = m_chosen == WordOrigin::dataSet && !m_path.isEmpty();
    m_column->setVisible(isData);
    m_columnLabel->setVisible(isData);
    m_fileButton->setVisible(isFile(m_chosen));
    m_fileButton->setEnabled(m_state.embedding() != nullptr);
    m_density->setVisible(isExtreme(m_chosen) && m_results.offersDensity());
    showHint();
}

void WordChoice::showHint(const QString& problem) {
    const QString refused = problem.isEmpty() ? m_count->problem() : problem;
    m_hint->setText(refused.isEmpty() ? hint() : tr("⚠ %1").arg(refused));
    m_hint->setVisible(!m_hint->text().isEmpty());
}

QString WordChoice::hint() const {
    const WordSelection& words = m_state.words();
    const qint64 chosen = static_cast<qint64>(words.rows.size());
    if (isExtreme(m_chosen) && m_results.offersDensity()) {
        return tr("Needs the distances of the whole vocabulary.");
    }
    if (isFile(m_chosen) && words.kind != WordSelection::Kind::list) {
        return words.kind == WordSelection::Kind::all
                   ? tr("Until a file is chosen: all words.")
                   : tr("Until a file is chosen: %1 random words.").arg(counted(randomCount()));
    }
    if (words.kind != WordSelection::Kind::list || isExtreme(m_chosen)) {
        return {};
    }
    if (!m_file || words.rows != m_rows) {
        return tr("%1 chosen words.").arg(counted(chosen));
    }
    return m_file->records
               ? tr("%1 of the %2 words that occur in %3 (%4 records).")
                     .arg(counted(chosen), counted(static_cast<qint64>(m_file->rows.size())),
                          m_file->file, counted(*m_file->records))
               : tr("%1 words of %2, %3 unknown.")
                     .arg(counted(chosen), m_file->file, counted(m_file->unknown));
}

}  // namespace

QWidget* wordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                    QWidget* parent) {
    return new WordChoice(state, results, jobs, parent);
}

}  // namespace epsilens::ui
