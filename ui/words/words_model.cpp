#include "ui/words/words_model.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>
#include <QSaveFile>
#include <QStringList>

#include "core/base/pass_on.h"
#include "ui/state/quick_measurement.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kSuggestions = 3;

/// Words of the embedding that are spelt like a text; only the text itself when it is one.
QStringList similarWords(const embedding::PreparedEmbedding& embedding, const QString& text) {
    return embedding.vocabulary().find(toStd(text))
               ? QStringList{text}
               : nearestSpellings(embedding, text, kSuggestions);
}

/// Writes a file that appears only when it is whole.
Result<void> write(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) {
        return {};
    }
    return fail(ErrorCode::ioFailed,
                toStd(WordsModel::tr("%1 could not be written: %2")
                          .arg(QFileInfo(path).fileName(), file.errorString())));
}

/// "λ 0.5", "γ 3.2", "λ 0, β 0.001"; empty for mechanisms without.
QString parameterText(const mechanism::Mechanism& mechanism, const calibration::Cell& cell) {
    QStringList parts;
    if (mechanism.hasLambda()) {
        parts.append(QStringLiteral("λ %1").arg(shortest(cell.lambda)));
    }
    if (cell.beta) {
        parts.append(QStringLiteral("β %1").arg(shortest(*cell.beta)));
    } else if (cell.gamma) {
        parts.append(QStringLiteral("γ %1").arg(shortest(*cell.gamma)));
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace

QString notFoundText(const QString& text, const QStringList& similar) {
    if (similar.isEmpty()) {
        return WordsModel::tr("“%1” is not among the words shown.").arg(text);
    }
    if (similar == QStringList{text}) {
        return WordsModel::tr("“%1” is a word of the embedding, but not among the words shown.")
            .arg(text);
    }
    return WordsModel::tr("“%1” is not among the words shown; the embedding has: %2.")
        .arg(text, similar.join(WordsModel::tr(", ")));
}

WordsModel::WordsModel(AnalysisState& state, SessionResults& results, QuickMeasurement& measurement,
                       QObject* parent)
    : QObject(parent),
      m_state(state),
      m_results(results),
      m_measurement(measurement),
      m_arranger(tr("Sorting words"),
                 [this](Result<Arrangement> result) {
                     if (result) {
                         m_keptCounts = result->kept;
                         m_table.setRows(std::move(result->rows), std::move(result->order));
                         Q_EMIT arranged();
                     }
                 }),
      m_finder(tr("Finding a word"),
               [this](const Result<Found>& answer) {
                   if (answer && answer->tableRow) {
                       Q_EMIT found(static_cast<int>(*answer->tableRow));
                   } else if (answer) {
                       Q_EMIT notFound(m_wanted, answer->similar);
                   }
               }),
      m_csvMaker(tr("Copying words"),
                 [this](const Result<std::pair<QByteArray, int>>& csv) {
                     if (csv) {
                         Q_EMIT csvReady(csv->first, csv->second);
                     } else {
                         Q_EMIT failed(csv.error());
                     }
                 }),
      m_exporter(tr("Exporting words"), [this](const Result<std::pair<QString, int>>& file) {
          if (file) {
              Q_EMIT exported(file->first, file->second);
          } else {
              Q_EMIT failed(file.error());
          }
      }) {
    connect(&m_table, &WordsTable::sortRequested, this, &WordsModel::setSorting);
    connect(&m_arranger, &JobRunnerBase::started, this, &WordsModel::arrangingChanged);
    connect(&m_arranger, &JobRunnerBase::finished, this, &WordsModel::arrangingChanged);
    connect(&m_state, &AnalysisState::embeddingDropped, this, &WordsModel::drop);
    connect(&m_measurement, &QuickMeasurement::changed, this, &WordsModel::followMeasurement);
    connect(&m_results, &SessionResults::densityChanged, this, [this] {
        rearrange();
        Q_EMIT densityNeedChanged();
    });
    m_state.onChange(&AnalysisSettings::epsilon, this, &WordsModel::rearrange);
    followMeasurement();
}

void WordsModel::drop() {
    m_finder.drop();
    m_arranger.drop();
    m_measured.reset();
    m_table.setRows({}, std::make_shared<const std::vector<std::uint32_t>>());
}

bool WordsModel::hasWords() const {
    return m_measured != nullptr;
}

bool WordsModel::isCurrent() const {
    return m_measured && (m_query.preset == WordPreset::ownTexts ? m_ownTexts.has_value()
                                                                 : m_measurement.isCurrent());
}

calibration::MeasurementHandle WordsModel::wanted() const {
    if (m_query.preset != WordPreset::ownTexts) {
        return m_measurement.result();
    }
    return m_ownTexts ? m_ownTexts->measurement : m_measured;
}

void WordsModel::followMeasurement() {
    if (m_measured != wanted()) {
        m_measured = wanted();
        rearrange();
    }
    Q_EMIT measurementChanged();
}

void WordsModel::setOwnTexts(std::optional<MeasuredText> measured, bool exist) {
    m_ownTexts = std::move(measured);
    const bool areNew = !std::exchange(m_hasOwnTexts, exist) && exist;
    if (areNew && m_query.preset == WordPreset::all) {
        m_query.preset = WordPreset::ownTexts;  // the dial is about them too
    } else if (!exist && m_query.preset == WordPreset::ownTexts) {
        m_query.preset = WordPreset::all;
    }
    Q_EMIT ownTextsChanged();
    followMeasurement();
}

QString WordsModel::setFilterText(const QString& text) {
    auto filter = WordFilter::parse(text);
    if (!filter) {
        return toQString(filter.error().message);
    }
    m_query.filter = std::move(*filter);
    rearrange();
    return {};
}

void WordsModel::setPreset(WordPreset preset) {
    if (preset == m_query.preset) {
        return;
    }
    m_query.preset = preset;
    Q_EMIT densityNeedChanged();
    m_measured = wanted();
    rearrange();
    Q_EMIT measurementChanged();
}

bool WordsModel::needsDensity() const {
    return (m_query.preset == WordPreset::sparsest || m_query.preset == WordPreset::densest) &&
           !m_results.density();
}

void WordsModel::setSorting(WordColumn column, bool descending) {
    m_query.sortedBy = column;
    m_query.descending = descending;
    rearrange();
}

// What was measured of another mechanism need not be known at this epsilon.
void WordsModel::rearrange() {
    if (!m_measured || !(m_state.epsilon() > m_measured->origin())) {
        return;
    }
    m_arranger.start([measured = m_measured, embedding = m_state.embedding(),
                      epsilon = m_state.epsilon(), density = m_results.density(),
                      query = m_query](const JobContext& job) -> Result<Arrangement> {
        ASSIGN_OR_RETURN(auto rows, WordRows::at(measured, epsilon, embedding, density, job));
        ASSIGN_OR_RETURN(auto order, arrangeWords(rows, query, job));
        const KeptCounts kept = countKept(rows);
        return Arrangement{std::move(rows),
                           std::make_shared<const std::vector<std::uint32_t>>(std::move(order)),
                           kept};
    });
}

QString WordsModel::statusText() const {
    const WordRows& shown = m_table.rows();
    if (!shown.measurement()) {
        return {};
    }
    const calibration::MeasurementOptions& measured = shown.measurement()->options();
    QString text = tr("%1 of %2 words · ε %3")
                       .arg(counted(m_table.rowCount()), counted(static_cast<qint64>(shown.size())),
                            shortest(shown.cell().epsilon));
    const QString parameters = parameterText(measured.mechanism, shown.cell());
    text += parameters.isEmpty() ? QString() : tr(", %1").arg(parameters);
    text +=
        measured.mechanism.isExact()
            ? tr(" · exact expectations for R\u00a0=\u00a0%1 draws").arg(counted(measured.draws))
            : tr(" · R\u00a0=\u00a0%1 draws, seed %2")
                  .arg(counted(measured.draws), QString::number(measured.seed));
    return text;
}

QString WordsModel::emptyText() const {
    const auto measured = static_cast<qint64>(m_table.rows().size());
    if (measured == 0 || m_table.rowCount() > 0 || isArranging() || needsDensity()) {
        return {};
    }
    return tr("None of the %1 words measured meets the filter.").arg(counted(measured));
}

std::optional<Word> WordsModel::filteredWord() const {
    const QStringList& parts = m_query.filter.parts();
    if (parts.size() != 1 || !m_state.embedding()) {
        return std::nullopt;
    }
    const auto row = m_state.embedding()->vocabulary().find(toStd(parts.front()));
    return row ? std::optional(Word{m_state.embedding(), *row}) : std::nullopt;
}

void WordsModel::find(const QString& text, int from, bool backwards, bool exact) {
    if (text.trimmed().isEmpty() || m_table.rowCount() == 0) {
        return;
    }
    m_wanted = text.trimmed();
    const auto start = static_cast<std::size_t>(std::clamp(from, 0, m_table.rowCount() - 1));
    m_finder.start([embedding = m_state.embedding(), rows = m_table.rows(), order = m_table.order(),
                    wanted = m_wanted, start, backwards,
                    exact](const JobContext& /*job*/) -> Result<Found> {
        Found answer{findWord(rows, *order, wanted, start, backwards, exact), {}};
        if (!answer.tableRow) {
            answer.similar = similarWords(*embedding, wanted);
        }
        return answer;
    });
}

void WordsModel::makeCsv(const QList<int>& tableRows) {
    std::vector<std::uint32_t> places;
    for (const int row : tableRows) {
        places.push_back((*m_table.order())[static_cast<std::size_t>(row)]);
    }
    const WordOrder order =
        places.empty() ? m_table.order()
                       : std::make_shared<const std::vector<std::uint32_t>>(std::move(places));
    m_csvMaker.start([rows = m_table.rows(),
                      order](const JobContext& job) -> Result<std::pair<QByteArray, int>> {
        ASSIGN_OR_RETURN(auto csv, wordsCsv(rows, *order, job));
        return std::pair{std::move(csv), static_cast<int>(order->size())};
    });
}

void WordsModel::exportCsv(const QString& path) {
    m_exporter.start([rows = m_table.rows(), order = m_table.order(),
                      path](const JobContext& job) -> Result<std::pair<QString, int>> {
        ASSIGN_OR_RETURN(const auto csv, wordsCsv(rows, *order, job));
        RETURN_IF_ERROR(write(path, csv));
        return std::pair{path, static_cast<int>(order->size())};
    });
}

}  // namespace epsilens::ui
