#include "ui/words/word_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <QRegularExpression>

#include "core/base/numbers.h"
#include "core/io/csv.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::array<ColumnNames, static_cast<std::size_t>(WordColumn::end)> kColumns{{
    {"", "word", "word", "The word as it is in the embedding"},
    {"row", "row", "row", "Row of the word in the embedding, counted from 0"},
    {"nw", "nw", "N_w", "How many of the draws returned the word itself"},
    {"sw", "sw", "different", "How many different words the draws returned"},
    {"kept", "kept", "kept", "Share of outputs equal to the word"},
    {"near", "near", "near", "Share of outputs among the nearest neighbours of the word"},
    {"far", "far", "far", "Share of all other outputs"},
    {"critical", "criticalEpsilonMedian", "half-kept ε",
     "From this ε on, half of the draws keep the word: its critical ε, the "
     "median over the draws"},
    {"distance", "nearestDistance", "nearest",
     "Distance to the nearest other vector of the vocabulary"},
    {"rank", "densityRank", "rank",
     "Rank by that distance; 1 is the sparsest word of the vocabulary"},
}};

WordColumn columnNamed(const QString& name) {
    const auto* const found = std::ranges::find_if(kColumns, [&](const ColumnNames& column) {
        return name.compare(QLatin1String(column.inFilters), Qt::CaseInsensitive) == 0;
    });
    return static_cast<WordColumn>(found - kColumns.begin());
}

bool isShare(WordColumn column) {
    return column == WordColumn::kept || column == WordColumn::near || column == WordColumn::far;
}

bool isCount(WordColumn column) {
    return column == WordColumn::nw || column == WordColumn::sw;
}

Result<WordFilter::Condition> conditionOf(WordColumn column, const QString& sign, QString number) {
    WordFilter::Condition condition;
    condition.column = column;
    condition.direction = sign.startsWith(QLatin1Char('<')) || sign == QStringLiteral("≤")   ? -1
                          : sign.startsWith(QLatin1Char('>')) || sign == QStringLiteral("≥") ? 1
                                                                                             : 0;
    condition.isEqualMet = sign != QLatin1String("<") && sign != QLatin1String(">");
    if (number.endsWith(QLatin1Char('%')) && (isShare(column) || isCount(column))) {
        number.chop(1);
        condition.percent = isCount(column);
    }
    ASSIGN_OR_RETURN(const auto value, parseNumber(toStd(number), namesOf(column).inFiles));
    constexpr double kPercent = 100.0;
    condition.value = isShare(column) || condition.percent ? value / kPercent : value;
    return condition;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kWordsPerCheck = 1U << 14U;

using Places = std::vector<std::uint32_t>;

bool stopsAt(std::size_t place, const JobContext& job) {
    return place % kWordsPerCheck == 0 && job.stopRequested();
}

auto cancelled() {
    return fail(ErrorCode::cancelled, "cancelled");
}

Places allPlaces(std::size_t count) {
    Places places(count);
    std::iota(places.begin(), places.end(), 0U);
    return places;
}

Places least(const WordRows& rows,
             const std::function<std::array<double, 2>(std::uint32_t)>& numbers) {
    std::vector<std::pair<std::array<double, 2>, std::uint32_t>> keyed;
    for (const std::uint32_t place : allPlaces(rows.size())) {
        const auto key = numbers(place);
        if (!std::isnan(key[0])) {
            keyed.emplace_back(key, place);
        }
    }
    const auto count = std::min<std::ptrdiff_t>(kPresetWords, std::ssize(keyed));
    std::partial_sort(keyed.begin(), keyed.begin() + count, keyed.end());
    Places places(static_cast<std::size_t>(count));
    std::transform(keyed.begin(), keyed.begin() + count, places.begin(),
                   [](const auto& word) { return word.second; });
    std::ranges::sort(places);
    return places;
}

Places presetPlaces(const WordRows& rows, WordPreset preset) {
    if (preset == WordPreset::worst) {
        return least(rows, [&rows](std::uint32_t place) {
            return std::array{-rows.value(place, WordColumn::nw),
                              rows.value(place, WordColumn::sw)};
        });
    }
    if (preset == WordPreset::sparsest) {
        return least(rows, [&rows](std::uint32_t place) {
            return std::array{-rows.value(place, WordColumn::distance), 0.0};
        });
    }
    return allPlaces(rows.size());
}

Result<Places> filtered(const WordRows& rows, Places places, const WordFilter& filter,
                        const JobContext& job) {
    Places kept;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (stopsAt(i, job)) {
            return cancelled();
        }
        const bool meetsAll = std::ranges::all_of(filter.conditions(), [&](const auto& condition) {
            return condition.holds(rows.value(places[i], condition.column), rows.draws());
        });
        if (meetsAll && filter.matchesText(rows.word(places[i]))) {
            kept.push_back(places[i]);
        }
    }
    return kept;
}

/// Sorts by keys that lie beside their places: this touches no other memory, unlike sorting places.
template <typename KeyOf>
void sortBy(Places& places, bool descending, const KeyOf& keyOf) {
    std::vector<std::pair<decltype(keyOf(0U)), std::uint32_t>> keyed;
    keyed.reserve(places.size());
    for (const std::uint32_t place : places) {
        keyed.emplace_back(keyOf(place), place);
    }
    std::ranges::sort(keyed, [descending](const auto& a, const auto& b) {
        if (a.first != b.first) {
            return descending ? a.first > b.first : a.first < b.first;
        }
        return a.second < b.second;
    });
    std::ranges::transform(keyed, places.begin(), [](const auto& word) { return word.second; });
}

constexpr std::array kExported{WordColumn::nw,       WordColumn::sw,  WordColumn::kept,
                               WordColumn::near,     WordColumn::far, WordColumn::critical,
                               WordColumn::distance, WordColumn::rank};

std::vector<std::string> csvHeader() {
    std::vector<std::string> fields{"word", "row", "epsilon", "lambda", "gamma"};
    for (const WordColumn column : kExported) {
        fields.emplace_back(namesOf(column).inFiles);
    }
    return fields;
}

}  // namespace

const ColumnNames& namesOf(WordColumn column) {
    return kColumns.at(static_cast<std::size_t>(column));
}

bool WordFilter::Condition::holds(double known, int draws) const {
    // Shares that are floats, and percentages of counts, are whole only up to rounding.
    constexpr double kRounding = 1e-6;
    const double bound = percent ? value * draws : value;
    const double slack = percent || isShare(column) ? kRounding * std::max(1.0, bound) : 0.0;
    const double beyond = known - bound;
    return (isEqualMet && std::fabs(beyond) <= slack) || direction * beyond > slack;
}

Result<WordFilter> WordFilter::parse(const QString& text) {
    static const QRegularExpression kCondition(
        QStringLiteral("^([a-zA-Z]+)(<=|>=|≤|≥|<|>|=)(.*)$"));
    WordFilter filter;
    const QStringList parts =
        text.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        const auto match = kCondition.match(part);
        const WordColumn column =
            match.hasMatch() ? columnNamed(match.captured(1)) : WordColumn::end;
        if (column == WordColumn::end) {
            filter.m_parts.append(part);
            continue;
        }
        if (match.captured(3).isEmpty()) {
            return fail(ErrorCode::invalidArgument,
                        toStd(tr("%1 needs a number after it, such as %1%2")
                                  .arg(part, isShare(column) ? QStringLiteral("5%")
                                                             : QStringLiteral("5"))));
        }
        ASSIGN_OR_RETURN(auto condition, conditionOf(column, match.captured(2), match.captured(3)));
        filter.m_conditions.push_back(condition);
    }
    return filter;
}

bool WordFilter::matchesText(std::string_view word) const {
    if (m_parts.isEmpty()) {
        return true;
    }
    const QString text = toQString(word);
    return std::ranges::all_of(
        m_parts, [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
}

Result<WordRows> WordRows::at(calibration::MeasurementHandle measurement, double epsilon,
                              embedding::EmbeddingHandle embedding,
                              const VocabularyDensityHandle& density, const JobContext& job) {
    auto values = std::make_shared<Values>();
    values->words.reserve(measurement->words().size());
    for (std::size_t place = 0; place < measurement->words().size(); ++place) {
        if (stopsAt(place, job)) {
            return cancelled();
        }
        values->words.push_back(measurement->wordAt(place, epsilon));
    }
    values->cell = measurement->cellsAt({&epsilon, 1}).front();
    WordRows rows;
    rows.m_measurement = std::move(measurement);
    rows.m_values = std::move(values);
    rows.m_embedding = std::move(embedding);
    if (density && density->embedding == rows.m_embedding) {
        rows.m_density = {density, &density->profile};
    }
    return rows;
}

std::size_t WordRows::size() const {
    return m_values ? m_values->words.size() : 0;
}

bool WordRows::areCountsWhole() const {
    return m_measurement && m_measurement->isInSteps();
}

embedding::Row WordRows::row(std::size_t place) const {
    return m_measurement->words()[place];
}

std::string_view WordRows::word(std::size_t place) const {
    return m_embedding->vocabulary().word(row(place));
}

double WordRows::value(std::size_t place, WordColumn column) const {
    const calibration::MeasuredWord& word = m_values->words[place];
    const auto wordRow = static_cast<std::size_t>(row(place));
    switch (column) {
        case WordColumn::row:
            return row(place);
        case WordColumn::nw:
            return word.nw;
        case WordColumn::sw:
            return word.sw;
        case WordColumn::kept:
            return word.nw / draws();
        case WordColumn::near:
            return word.near / draws();
        case WordColumn::far:
            // Rounded expectations must not leave less than nothing.
            return std::max(0.0, draws() - word.nw - word.near) / draws();
        case WordColumn::critical:
            return m_measurement->halfKept(place);
        case WordColumn::distance:
            return m_density ? m_density->distances[wordRow] : kUnknown;
        case WordColumn::rank:
            return m_density ? m_density->ranks[wordRow] : kUnknown;
        case WordColumn::word:
        case WordColumn::end:
            break;
    }
    return kUnknown;
}

KeptCounts countKept(const WordRows& rows) {
    KeptCounts counts{};
    for (std::size_t place = 0; place < rows.size(); ++place) {
        // Multiplied first: 30 of 100 begin a bar exactly.
        const auto bar = static_cast<std::size_t>(static_cast<double>(counts.size()) *
                                                  rows.value(place, WordColumn::nw) / rows.draws());
        ++counts[std::min(bar, counts.size() - 1)];
    }
    return counts;
}

Result<std::vector<std::uint32_t>> arrangeWords(const WordRows& rows, const WordQuery& query,
                                                const JobContext& job) {
    auto places = filtered(rows, presetPlaces(rows, query.preset), query.filter, job);
    if (!places) {
        return places;
    }
    if (job.stopRequested()) {
        return cancelled();
    }
    if (query.sortedBy == WordColumn::word) {
        sortBy(*places, query.descending,
               [&rows](std::uint32_t place) { return rows.word(place); });
        return places;
    }
    const auto value = [&](std::uint32_t place) { return rows.value(place, query.sortedBy); };
    const auto unknown =
        std::stable_partition(places->begin(), places->end(),
                              [&](std::uint32_t place) { return !std::isnan(value(place)); });
    const Places last(unknown, places->end());
    places->erase(unknown, places->end());
    sortBy(*places, query.descending, value);
    places->insert(places->end(), last.begin(), last.end());
    return places;
}

Result<QByteArray> wordsCsv(const WordRows& rows, const std::vector<std::uint32_t>& order,
                            const JobContext& job) {
    std::string text;
    io::appendCsvLine(text, csvHeader());
    const calibration::Cell& cell = rows.cell();
    const std::string epsilon = io::csvNumber(cell.epsilon);
    const std::string lambda = rows.measurement()->options().mechanism.hasLambda()
                                   ? io::csvNumber(cell.lambda)
                                   : std::string();
    const std::string gamma = io::csvNumber(cell.gamma);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (stopsAt(i, job)) {
            return cancelled();
        }
        std::vector<std::string> fields{io::csvWord(rows.word(order[i])),
                                        std::to_string(rows.row(order[i])), epsilon, lambda, gamma};
        for (const WordColumn column : kExported) {
            fields.push_back(io::csvNumber(rows.value(order[i], column)));
        }
        io::appendCsvLine(text, fields);
    }
    return QByteArray::fromStdString(text);
}

}  // namespace epsilens::ui
