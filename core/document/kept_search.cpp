#include "core/document/kept_search.h"

#include <cstddef>
#include <type_traits>

#include "core/calibration/options.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"

namespace epsilens::document {
namespace {

constexpr std::size_t kMostLimits = 1'000;
constexpr std::size_t kMostTried = 10'000;
constexpr Integer kDraws{1, 1'000'000};
constexpr Number kFigure{-kLargestNumber, kLargestNumber};

constexpr auto kCheck = objectOf([](auto& json, auto& check) {
    json.field("limit", check.limit, Named<evaluation::limitText, evaluation::parseFigureLimit>{});
    json.field("value", check.figure.value, NumberOrNaN{kFigure});
    json.field("ci95", check.figure.ci95, pairOf(kFigure));
    if constexpr (std::remove_reference_t<decltype(json)>::kReads) {
        check = evaluation::checkFigure(check.limit, check.figure);
    }
});

constexpr auto kTried = objectOf([](auto& json, auto& tried) {
    json.field("epsilon", tried.epsilon, kAboveZero);
    json.field("checks", tried.checks, listOf(kCheck, kMostLimits));
});

constexpr auto kFound = objectOf([](auto& json, auto& found) {
    json.field("epsilon", found.epsilon, kAboveZero);
    json.field("checks", found.checks, listOf(kCheck, kMostLimits));
    json.field("fresh", found.fresh, listOf(kCheck, kMostLimits));
    json.field("above", found.above, kAboveZero);
    json.field("binding", found.binding, kCheck);
    json.field("closest", found.closest, kAtLeastZero);
    json.field("tried", found.tried, listOf(kTried, kMostTried));
});

constexpr auto kData = objectOf([](auto& json, auto& data) { describeData(json, data); });
constexpr auto kOptions =
    objectOf([](auto& json, auto& options) { describeEvaluationOptions(json, options); });

}  // namespace

bool KeptSearch::hasSameQuestion(const KeptSearch& other) const {
    return options.grid == other.options.grid && options.seed == other.options.seed &&
           options.policies.unknown == other.options.policies.unknown &&
           options.policies.letterCase == other.options.policies.letterCase &&
           limits == other.limits && draws == other.draws && figureLimits == other.figureLimits;
}

template <typename Fields, typename Search>
void describeSearch(Fields& json, Search& search) {
    json.field("data", search.data, kData);
    json.field("options", search.options, kOptions);
    describeLimits(json, search);
    json.field("draws", search.draws, kDraws);
    json.field("found", search.found, kFound);
    if constexpr (Fields::kReads) {
        json.demand(search.options.grid.mechanisms().size() == 1, "options",
                    "a search is of one setting of a mechanism");
    }
}

template void describeSearch(FieldWriter& json, const KeptSearch& search);
template void describeSearch(FieldReader& json, KeptSearch& search);

}  // namespace epsilens::document
