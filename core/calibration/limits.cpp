#include "core/calibration/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/numbers.h"

namespace epsilens::calibration {
namespace {

enum class Unit { draws, share, bits, words, distance, cosine };

struct StatisticEntry {
    LimitStatistic statistic;
    std::string_view name;  ///< in limits and files
    Unit unit;
    Summary Cell::*summary = nullptr;
    double Cell::*ofAll = nullptr;  ///< of all outputs
};

constexpr std::array kStatistics{
    StatisticEntry{LimitStatistic::nw, "nw", Unit::draws, &Cell::nw},
    StatisticEntry{LimitStatistic::sw, "sw", Unit::draws, &Cell::sw},
    StatisticEntry{LimitStatistic::kept, "kept", Unit::share, &Cell::nw, &Cell::kept},
    StatisticEntry{LimitStatistic::near, "near", Unit::share, nullptr, &Cell::near},
    StatisticEntry{LimitStatistic::far, "far", Unit::share, nullptr, &Cell::far},
    StatisticEntry{LimitStatistic::minEntropy, "minEntropy", Unit::bits, &Cell::minEntropy},
    StatisticEntry{LimitStatistic::shannonEntropy, "shannonEntropy", Unit::bits,
                   &Cell::shannonEntropy},
    StatisticEntry{LimitStatistic::kw, "kw", Unit::words},
    StatisticEntry{LimitStatistic::meanDistance, "meanDistance", Unit::distance, nullptr,
                   &Cell::meanDistance},
    StatisticEntry{LimitStatistic::meanCosine, "meanCosine", Unit::cosine},
};

struct AggregateEntry {
    LimitAggregate aggregate;
    std::string_view name;
    double Summary::*value;
    std::optional<double> probability;
};

constexpr std::array kAggregates{
    AggregateEntry{LimitAggregate::mean, "mean", &Summary::mean, std::nullopt},
    AggregateEntry{LimitAggregate::min, "min", &Summary::min, 0.0},
    AggregateEntry{LimitAggregate::max, "max", &Summary::max, 1.0},
    AggregateEntry{LimitAggregate::p1, "p1", &Summary::p1, 0.01},
    AggregateEntry{LimitAggregate::p5, "p5", &Summary::p5, 0.05},
    AggregateEntry{LimitAggregate::p25, "p25", &Summary::p25, 0.25},
    AggregateEntry{LimitAggregate::p50, "p50", &Summary::p50, 0.50},
    AggregateEntry{LimitAggregate::p75, "p75", &Summary::p75, 0.75},
    AggregateEntry{LimitAggregate::p95, "p95", &Summary::p95, 0.95},
    AggregateEntry{LimitAggregate::p99, "p99", &Summary::p99, 0.99},
};

const StatisticEntry& entryOf(LimitStatistic statistic) {
    return *std::ranges::find(kStatistics, statistic, &StatisticEntry::statistic);
}

const AggregateEntry& entryOf(LimitAggregate aggregate) {
    return *std::ranges::find(kAggregates, aggregate, &AggregateEntry::aggregate);
}

template <typename Entries>
std::string namesOf(const Entries& entries) {
    std::string names;
    for (const auto& entry : entries) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
    }
    return names;
}

/// What stands on either side of the relation.
Result<Limit> readSides(std::string_view text, const LimitParts& parts) {
    const auto dot = parts.subject.find('.');
    const std::string_view statisticName = parts.subject.substr(0, dot);
    const auto* const statistic =
        std::ranges::find(kStatistics, statisticName, &StatisticEntry::name);
    if (statistic == kStatistics.end()) {
        return refuseLimit(text, fmt::format("the statistic \"{}\" is unknown; allowed: {}",
                                             statisticName, namesOf(kStatistics)));
    }
    const std::string_view aggregateName =
        dot == std::string_view::npos ? std::string_view() : parts.subject.substr(dot + 1);
    const auto* const aggregate =
        std::ranges::find(kAggregates, aggregateName, &AggregateEntry::name);
    if (aggregate == kAggregates.end()) {
        return refuseLimit(text,
                           fmt::format("\"{}\" does not say how the words are summed up; allowed "
                                       "after {}.: {}",
                                       aggregateName, statisticName, namesOf(kAggregates)));
    }
    if (statistic->summary == nullptr && statistic->unit != Unit::words &&
        aggregate->aggregate != LimitAggregate::mean) {
        return refuseLimit(
            text,
            fmt::format("{0} is one figure of all outputs; only {0}.mean exists", statisticName));
    }
    ASSIGN_OR_RETURN(const auto read,
                     parseLimitValue(text, parts.value, statistic->unit == Unit::share));
    if (read.percent && statistic->unit != Unit::draws && statistic->unit != Unit::share) {
        return refuseLimit(text,
                           fmt::format("{} has no percent; write the number alone", statisticName));
    }
    return Limit{statistic->statistic, aggregate->aggregate, LimitRelation::atMost, read.value,
                 read.percent};
}

std::string textOf(const Limit& limit, std::string_view relation) {
    return fmt::format("{}.{}{}{}", entryOf(limit.statistic).name, entryOf(limit.aggregate).name,
                       relation, limitValueText(limit.value, limit.percent));
}

double boundOf(const Limit& limit, int draws) {
    const double whole = entryOf(limit.statistic).unit == Unit::draws ? draws : 1.0;
    // The product first: 7% of 100 draws is then exactly 7.
    return limit.percent ? whole * limit.value / 100.0 : limit.value;
}

std::optional<double> valueOf(const Limit& limit, const Cell& cell, int draws) {
    const StatisticEntry& entry = entryOf(limit.statistic);
    const auto aggregate = entryOf(limit.aggregate).value;
    if (entry.ofAll != nullptr && limit.aggregate == LimitAggregate::mean) {
        return cell.*entry.ofAll;
    }
    if (limit.statistic == LimitStatistic::meanCosine) {
        return cell.meanCosine;
    }
    if (limit.statistic == LimitStatistic::kw) {
        return cell.kw ? std::optional((*cell.kw).*aggregate) : std::nullopt;
    }
    return cell.*entry.summary.*aggregate / (entry.unit == Unit::share ? draws : 1);
}

/// What a statistic can differ by.
double rangeOf(const LimitCheck& check, int draws, std::int64_t words) {
    switch (entryOf(check.limit.statistic).unit) {
        case Unit::draws:
            return draws;
        case Unit::bits:
            return std::max(1.0, std::log2(static_cast<double>(draws)));
        case Unit::words:
            return static_cast<double>(words);
        case Unit::distance:
            return std::max(check.bound, std::numeric_limits<double>::min());
        case Unit::share:
        case Unit::cosine:
            break;
    }
    return 1.0;
}

}  // namespace

Summary Cell::*memberOf(LimitStatistic statistic) {
    return entryOf(statistic).summary;
}

double Summary::*memberOf(LimitAggregate aggregate) {
    return entryOf(aggregate).value;
}

std::optional<double> probabilityOf(LimitAggregate aggregate) {
    return entryOf(aggregate).probability;
}

LimitParts limitParts(std::string_view text) {
    const std::size_t sign = std::min(text.find_first_of("<>="), text.size());
    const std::string_view rest = text.substr(sign);
    const std::string_view relation = rest.substr(0, rest.starts_with('=') ? 1 : 2);
    return {trimmed(text.substr(0, sign)), relation, trimmed(rest.substr(relation.size()))};
}

Result<LimitValue> parseLimitValue(std::string_view text, std::string_view typed, bool isShare) {
    const bool percent = typed.ends_with('%');
    const std::string_view digits = percent ? trimmed(typed.substr(0, typed.size() - 1)) : typed;
    ASSIGN_OR_RETURN(const double value, parseNumber(digits, fmt::format("limit \"{}\"", text)));
    const double largest = percent ? 100.0 : isShare ? 1.0 : std::numeric_limits<double>::max();
    if (!(value >= 0.0 && value <= largest)) {
        return refuseLimit(text, percent   ? "a percentage is 0 to 100"
                                 : isShare ? "a share is 0 to 1; a percentage ends with %"
                                           : "the value is below 0");
    }
    return LimitValue{value, percent};
}

std::string limitValueText(double value, bool percent) {
    return formatNumber(value) + (percent ? "%" : "");
}

tl::unexpected<Error> refuseLimit(std::string_view text, std::string_view problem) {
    return refuse(fmt::format("limit \"{}\": {}", text, problem));
}

Result<Limit> parseLimit(std::string_view text) {
    const LimitParts parts = limitParts(text);
    if (parts.relation != "<=" && parts.relation != ">=") {
        return refuseLimit(text,
                           "write it as STATISTIC.AGGREGATE<=VALUE or >=, such as nw.p95<=50%");
    }
    ASSIGN_OR_RETURN(auto limit, readSides(text, parts));
    limit.relation = parts.relation == "<=" ? LimitRelation::atMost : LimitRelation::atLeast;
    return limit;
}

Result<Limit> parseMatch(std::string_view text) {
    const LimitParts parts = limitParts(text);
    if (parts.relation != "=") {
        return refuseLimit(text,
                           "write a value to match as STATISTIC.AGGREGATE=VALUE, such as "
                           "nw.max=29.7%");
    }
    ASSIGN_OR_RETURN(auto limit, readSides(text, parts));
    if (limit.statistic == LimitStatistic::near) {
        return refuseLimit(text,
                           "the near share rises with epsilon and falls again, so that it has a "
                           "value at two of them; match another one");
    }
    const bool rises = limit.statistic == LimitStatistic::nw ||
                       limit.statistic == LimitStatistic::kept ||
                       limit.statistic == LimitStatistic::meanCosine;
    limit.relation = rises ? LimitRelation::atMost : LimitRelation::atLeast;
    return limit;
}

std::string matchText(const Limit& limit) {
    return textOf(limit, "=");
}

std::string limitText(const Limit& limit) {
    return textOf(limit, limit.relation == LimitRelation::atMost ? "<=" : ">=");
}

Result<LimitCheck> checkLimit(const Limit& limit, const Cell& cell, int draws) {
    const auto value = valueOf(limit, cell, draws);
    if (!value) {
        const std::string text = limitText(limit);
        return fail(
            ErrorCode::unsupported,
            limit.statistic == LimitStatistic::kw
                ? fmt::format("limit \"{}\": K_w needs independent draws for every word", text)
                : fmt::format("limit \"{}\": no output has a cosine beside zero vectors", text));
    }
    LimitCheck check{limit, *value, boundOf(limit, draws), 0.0};
    check.margin = limit.relation == LimitRelation::atMost ? check.bound - check.value
                                                           : check.value - check.bound;
    return check;
}

Result<std::vector<LimitCheck>> checkLimits(const std::vector<Limit>& limits, const Cell& cell,
                                            int draws) {
    std::vector<LimitCheck> checks;
    for (const Limit& limit : limits) {
        ASSIGN_OR_RETURN(const auto check, checkLimit(limit, cell, draws));
        checks.push_back(check);
    }
    return checks;
}

bool allMet(const std::vector<LimitCheck>& checks) {
    return std::ranges::all_of(checks, &LimitCheck::met);
}

double shareMissed(const LimitCheck& check, int draws, std::int64_t words) {
    return -check.margin / rangeOf(check, draws, words);
}

std::optional<LimitCheck> mostMissed(const std::vector<LimitCheck>& checks, int draws,
                                     std::int64_t words) {
    std::optional<LimitCheck> worst;
    double largest = 0.0;
    for (const LimitCheck& check : checks) {
        const double missed = shareMissed(check, draws, words);
        if (!check.met() && (!worst || missed > largest)) {
            worst = check;
            largest = missed;
        }
    }
    return worst;
}

}  // namespace epsilens::calibration
