#include "ui/words/word_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/io/csv.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// Words between two looks at the stop request.
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

Places worst(const WordRows& rows) {
    Places places = allPlaces(rows.size());
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(std::min(
                                          places.size(), static_cast<std::size_t>(kPresetWords)));
    std::partial_sort(places.begin(), end, places.end(), [&](std::uint32_t a, std::uint32_t b) {
        const double keptA = rows.value(a, WordColumn::nw);
        const double keptB = rows.value(b, WordColumn::nw);
        if (keptA != keptB) {
            return keptA > keptB;
        }
        const double distinctA = rows.value(a, WordColumn::sw);
        const double distinctB = rows.value(b, WordColumn::sw);
        return distinctA != distinctB ? distinctA < distinctB : a < b;
    });
    places.erase(end, places.end());
    std::sort(places.begin(), places.end());
    return places;
}

Places presetPlaces(const WordRows& rows, WordPreset preset) {
    Places places;
    switch (preset) {
        case WordPreset::all:
        case WordPreset::ownTexts:
            return allPlaces(rows.size());
        case WordPreset::worst:
            return worst(rows);
        case WordPreset::sparsest:
            places = rows.sparsest(kPresetWords);
            break;
        case WordPreset::densest:
            places = rows.densest(kPresetWords);
            break;
    }
    std::sort(places.begin(), places.end());
    return places;
}

bool meets(const WordRows& rows, std::uint32_t place, const WordFilter& filter) {
    return std::all_of(filter.conditions().begin(), filter.conditions().end(),
                       [&](const WordFilter::Condition& condition) {
                           return condition.holds(rows.value(place, condition.column),
                                                  rows.draws());
                       }) &&
           filter.matchesText(rows.word(place));
}

Result<Places> filtered(const WordRows& rows, Places places, const WordFilter& filter,
                        const JobContext& job) {
    if (filter.isEmpty()) {
        return places;
    }
    Places kept;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (stopsAt(i, job)) {
            return cancelled();
        }
        if (meets(rows, places[i], filter)) {
            kept.push_back(places[i]);
        }
    }
    return kept;
}

/// A sort key beside its place: sorting these touches no other memory, unlike sorting places.
template <typename T>
struct Keyed {
    T key{};
    std::uint32_t place = 0;
};

void sortByNumber(const WordRows& rows, Places& places, WordColumn column, bool descending) {
    std::vector<Keyed<double>> keys;
    keys.reserve(places.size());
    for (const std::uint32_t place : places) {
        keys.push_back({rows.value(place, column), place});
    }
    const auto known = std::stable_partition(
        keys.begin(), keys.end(), [](const auto& keyed) { return !std::isnan(keyed.key); });
    std::sort(keys.begin(), known, [descending](const auto& a, const auto& b) {
        if (a.key != b.key) {
            return descending ? a.key > b.key : a.key < b.key;
        }
        return a.place < b.place;
    });
    std::transform(keys.begin(), keys.end(), places.begin(),
                   [](const auto& keyed) { return keyed.place; });
}

/// The first eight bytes as a number that orders as they do.
std::uint64_t prefixOf(std::string_view word) {
    std::uint64_t prefix = 0;
    for (std::size_t i = 0; i < sizeof(prefix); ++i) {
        prefix = (prefix << 8U) | (i < word.size() ? static_cast<unsigned char>(word[i]) : 0U);
    }
    return prefix;
}

void sortByWord(const WordRows& rows, Places& places, bool descending) {
    std::vector<Keyed<std::uint64_t>> keys;
    keys.reserve(places.size());
    for (const std::uint32_t place : places) {
        keys.push_back({prefixOf(rows.word(place)), place});
    }
    std::sort(keys.begin(), keys.end(), [&rows](const auto& a, const auto& b) {
        return a.key != b.key ? a.key < b.key : rows.word(a.place) < rows.word(b.place);
    });
    std::transform(keys.begin(), keys.end(), places.begin(),
                   [](const auto& keyed) { return keyed.place; });
    if (descending) {
        std::reverse(places.begin(), places.end());
    }
}

/// What kept and near leave of R; rounded expectations must not leave less than nothing.
double farCount(double kept, double near, int draws) {
    const double left = draws - kept - near;
    return left < 0.0 ? 0.0 : left;
}

constexpr std::array kExported{WordColumn::nw,       WordColumn::sw,  WordColumn::kept,
                               WordColumn::near,     WordColumn::far, WordColumn::critical,
                               WordColumn::distance, WordColumn::rank};

std::vector<std::string> csvHeader() {
    std::vector<std::string> fields{"word", "row", "epsilon", "lambda", "gamma"};
    for (const WordColumn column : kExported) {
        fields.push_back(toStd(columnKey(column)));
    }
    return fields;
}

}  // namespace

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
    return m_measurement && m_measurement->knowledge() == calibration::EpsilonKnowledge::steps;
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
            return farCount(word.nw, word.near, draws()) / draws();
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

std::vector<std::uint32_t> WordRows::sparsest(std::int64_t count) const {
    return m_density && m_measurement
               ? placesOf(statistics::sparsestWords(*m_density, count, m_measurement->words()))
               : Places{};
}

std::vector<std::uint32_t> WordRows::densest(std::int64_t count) const {
    return m_density && m_measurement
               ? placesOf(statistics::densestWords(*m_density, count, m_measurement->words()))
               : Places{};
}

std::vector<std::uint32_t> WordRows::placesOf(const std::vector<embedding::Row>& rows) const {
    const auto words = m_measurement->words();
    Places places;
    for (const embedding::Row wanted : rows) {
        // Rows of a measurement are rising.
        const auto found = std::lower_bound(words.begin(), words.end(), wanted);
        places.push_back(static_cast<std::uint32_t>(found - words.begin()));
    }
    return places;
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
        sortByWord(rows, *places, query.descending);
    } else {
        sortByNumber(rows, *places, query.sortedBy, query.descending);
    }
    return places;
}

std::optional<std::size_t> findWord(const WordRows& rows, const std::vector<std::uint32_t>& order,
                                    const QString& text, std::size_t from, bool backwards,
                                    bool exact) {
    const QString wanted = text.trimmed();
    if (wanted.isEmpty() || order.empty()) {
        return std::nullopt;
    }
    std::optional<std::size_t> beginning;
    std::optional<std::size_t> containing;
    for (std::size_t step = 0; step < order.size(); ++step) {
        const std::size_t ahead = backwards ? order.size() - step : step;
        const std::size_t index = (from + ahead) % order.size();
        const QString word = toQString(rows.word(order[index]));
        const auto at = word.indexOf(wanted, 0, Qt::CaseInsensitive);
        if (at < 0) {
            continue;
        }
        if (!exact || word.size() == wanted.size()) {
            return index;
        }
        if (at == 0 && !beginning) {
            beginning = index;
        } else if (!containing) {
            containing = index;
        }
    }
    return beginning ? beginning : containing;
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
