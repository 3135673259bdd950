#include "ui/words/words_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QFileInfo>
#include <QSaveFile>
#include <QStringList>

#include "core/base/pass_on.h"
#include "ui/state/mechanism_view.h"
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

QString variantText(const calibration::CalibrationSummary& summary, const calibration::Cell& cell) {
    QStringList parts;
    if (summary.grid.mechanism.hasLambda()) {
        parts.append(QStringLiteral("λ %1").arg(shortest(cell.lambda)));
    }
    if (cell.beta) {
        parts.append(QStringLiteral("β %1").arg(shortest(*cell.beta)));
    } else if (cell.gamma) {
        parts.append(QStringLiteral("γ %1").arg(shortest(*cell.gamma)));
    }
    return parts.join(QStringLiteral(", "));
}

/// The index of the smallest distance; 0 when there is none.
template <typename Distance>
int nearestIndex(std::size_t count, const Distance& distance) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) {
        if (distance(i) < distance(best)) {
            best = i;
        }
    }
    return static_cast<int>(best);
}

}  // namespace

WordsModel::WordsModel(AnalysisState& state, SessionResults& results, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_results(results),
      m_arranger(tr("Sorting words"),
                 [this](Result<std::vector<std::uint32_t>> order) {
                     if (order) {
                         m_table.setRows(
                             m_arrangedRows,
                             std::make_shared<const std::vector<std::uint32_t>>(std::move(*order)));
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
    connect(&m_state, &AnalysisState::embeddingDropped, this, &WordsModel::dropRun);
    connect(&m_results, &SessionResults::runChanged, this, &WordsModel::takeRun);
    connect(&m_results, &SessionResults::densityChanged, this, [this] {
        rearrange();
        Q_EMIT densityNeedChanged();
    });
    takeRun();
}

void WordsModel::dropRun() {
    m_finder.drop();
    m_arranger.drop();
    m_run.reset();
    m_arrangedRows = {};
    m_table.setRows({}, std::make_shared<const std::vector<std::uint32_t>>());
}

void WordsModel::takeRun() {
    dropRun();
    m_run = m_results.run();
    if (m_run) {
        const calibration::CalibrationSummary& summary = *m_run->summary;
        m_epsilon = nearestIndex(summary.grid.epsilons.size(), [&](std::size_t e) {
            return std::fabs(std::log(summary.grid.epsilons[e] / m_state.epsilon()));
        });
        const std::size_t epsilons = summary.grid.epsilons.size();
        m_variant = nearestIndex(summary.cells.size() / epsilons, [&](std::size_t v) {
            return parameterDistance(summary.cells[v * epsilons], m_state.mechanism());
        });
    }
    Q_EMIT runChanged();
    rearrange();
}

QStringList WordsModel::epsilonChoices() const {
    QStringList choices;
    if (m_run) {
        for (const double epsilon : m_run->summary->grid.epsilons) {
            choices.append(shortest(epsilon));
        }
    }
    return choices;
}

QStringList WordsModel::variantChoices() const {
    QStringList choices;
    if (m_run) {
        const calibration::CalibrationSummary& summary = *m_run->summary;
        for (std::size_t i = 0; i < summary.cells.size(); i += summary.grid.epsilons.size()) {
            choices.append(variantText(summary, summary.cells[i]));
        }
    }
    return choices;
}

std::size_t WordsModel::cell() const {
    return static_cast<std::size_t>(m_variant) * m_run->summary->grid.epsilons.size() +
           static_cast<std::size_t>(m_epsilon);
}

void WordsModel::setCell(int variantIndex, int epsilonIndex) {
    if (!m_run || variantIndex < 0 || variantIndex >= variantChoices().size() || epsilonIndex < 0 ||
        epsilonIndex >= epsilonChoices().size() ||
        (variantIndex == m_variant && epsilonIndex == m_epsilon)) {
        return;
    }
    m_variant = variantIndex;
    m_epsilon = epsilonIndex;
    rearrange();
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
    rearrange();
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

void WordsModel::rearrange() {
    if (!m_run) {
        return;
    }
    m_arrangedRows = WordRows(m_run, m_state.embedding(), cell(), m_results.density());
    m_arranger.start([rows = m_arrangedRows, query = m_query](const JobContext& job) {
        return arrangeWords(rows, query, job);
    });
}

QString WordsModel::statusText() const {
    if (!m_run) {
        return {};
    }
    const calibration::CalibrationSummary& summary = *m_run->summary;
    const WordRows& shown = m_table.rows();
    QString text = tr("%1 of %2 words").arg(counted(m_table.rowCount()), counted(summary.words));
    if (shown.size() > 0) {
        const calibration::Cell& setting = summary.cells[shown.cell()];
        text += tr(" · ε %1").arg(shortest(setting.epsilon));
        const QString variant = variantText(summary, setting);
        text += variant.isEmpty() ? QString() : tr(", %1").arg(variant);
    }
    text += summary.isExact()
                ? tr(" · exact expectations of R\u00a0=\u00a0%1 draws").arg(counted(summary.draws))
                : tr(" · R\u00a0=\u00a0%1 draws, seed %2")
                      .arg(counted(summary.draws), QString::number(summary.seed));
    if (summary.partial && summary.words == summary.wordsAsked) {
        text += tr(" · the worst words were not counted again");
    } else if (summary.partial) {
        text += tr(" · partial: %1 of %2 words")
                    .arg(counted(summary.words), counted(summary.wordsAsked));
    }
    return text;
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
