#include "ui/words/word_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
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

/// The words whose numbers are least, in the order of their places.
///
/// numbers  of a word, by the first of them that differs
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
        fields.emplace_back(namesOf(column).inFiles);
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
    // Words without a value come last in either direction.
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
