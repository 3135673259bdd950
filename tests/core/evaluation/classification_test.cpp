#include "core/evaluation/evaluation_parts.h"

#include <vector>

#include <catch2/catch.hpp>

#include "tests/core/release/word_space.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using Rows = std::vector<Row>;

// Three known words are rows 0 to 2; typed, "what" and "else" are the spellings behind them, and
// the mask is behind all of these.
TEST_CASE("A classifier learns from texts what is released of them") {
    const auto space = test::wordSpace({"a", "b", "c"});
    DataSet data;
    data.documents = {{"a what b what", 1}, {"else c", 0}};
    const std::vector<std::int64_t> documents{0, 1};
    const auto released = [&](release::UnknownPolicy unknown) {
        EvaluationOptions options;
        options.policies.unknown = unknown;
        options.grid.epsilons = {1.0};
        const EvaluationParts parts{
            *space,
            data,
            options,
            std::make_shared<const TokenisedDocuments>(
                tokeniseDocuments(data.documents, space->embedding().vocabulary(), options.policies)
                    .value()),
            {}};
        const auto perturber =
            Perturber::create(*space, *parts.words, options.policies, options.grid, 1).value();
        CHECK(parts.typed(documents).tokens == Rows{0, 3, 1, 3, 4, 2});
        const LabelledTokens tokens =
            parts.released(documents, perturber->unperturbed({0, documents}));
        CHECK(tokens.labels == std::vector<std::int32_t>{1, 0});
        CHECK(tokens.size() == 2);
        return std::vector{Rows(tokens.document(0).begin(), tokens.document(0).end()),
                           Rows(tokens.document(1).begin(), tokens.document(1).end())};
    };
    CHECK(released(release::UnknownPolicy::mask) == std::vector<Rows>{{0, 5, 1, 5}, {5, 2}});
    CHECK(released(release::UnknownPolicy::keep) == std::vector<Rows>{{0, 3, 1, 3}, {4, 2}});
    CHECK(released(release::UnknownPolicy::drop) == std::vector<Rows>{{0, 1}, {2}});
}
