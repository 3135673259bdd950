#include "core/document/session.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parser.h"
#include "core/document/mechanism_fields.h"

namespace epsilens::document {
namespace {

constexpr std::size_t kMostPins = 1'000;
constexpr std::size_t kMostSentences = 1'000;

constexpr auto kEmbedding = objectOf([](auto& json, auto& embedding) {
    describeLoad(json, embedding.load);
    json.field("relativePath", embedding.relativePath, kPath);
    json.field("bytes", embedding.bytes, kCount);
    json.field("sha256", embedding.sha256, Text{64});
});

constexpr auto kSetting = objectOf([](auto& json, auto& setting) {
    json.field("mechanism", setting.mechanism, MechanismName{});
    json.field("epsilon", setting.epsilon, kAboveZero);
    const mechanism::Parameters own = setting.mechanism.parameters();
    mechanism::Parameters numbers{.gamma = own.gamma, .beta = own.beta};
    double lambda = setting.mechanism.lambda();
    json.field("lambda", lambda, kShare);
    json.field("gamma", numbers.gamma, kGamma);
    json.field("beta", numbers.beta, kBeta);
    describeVariant(json, setting.mechanism);
    if constexpr (std::remove_reference_t<decltype(json)>::kReads) {
        numbers.lambda = lambda;
        setting.mechanism = setting.mechanism.with(numbers);
    }
});

constexpr auto kSettings = objectOf([](auto& json, auto& session) {
    json.field("current", session.current, kSetting);
    json.field("grid", session.grid,
               objectOf([](auto& grid, auto& options) { describeOptions(grid, options); }));
    describeSelection(json, session.wordsFrom);
    json.field("percentileBand", session.percentileBand, pairOf(Integer{0, 100}));
    if constexpr (std::remove_reference_t<decltype(json)>::kReads) {
        json.demand(
            std::ranges::find(kPercentileBands, session.percentileBand) != kPercentileBands.end(),
            "percentileBand", "it is not one of the bands [1, 99], [5, 95] and [25, 75]");
    }
    json.field("letterCase", session.letterCase,
               Named<text::casePolicyName, text::parseCasePolicy>{});
});

constexpr auto kSearch = objectOf([](auto& json, auto& search) { describeSearch(json, search); });

/// All but the results.
template <typename Fields, typename Owner, typename Settings>
void describeSession(Fields& json, Owner& session, Settings& report) {
    json.schema(kSessionSchema);
    json.field("version", session.version, Text{kLongestName});
    json.field("embedding", session.embedding, kEmbedding);
    json.field("settings", session, kSettings);
    describeLimits(json, report);
    json.field("pins", session.pins, listOf(kSetting, kMostPins));
    json.field("report", report, objectOf([](auto& part, auto& settings) {
                   describeSettings(part, settings);
                   part.fieldIf(!settings.epsilonOrigin.empty(), "epsilonOrigin",
                                settings.epsilonOrigin, kText);
                   part.field("sentences", settings.sentences, listOf(kText, kMostSentences));
               }));
    json.field("keepsSentences", session.keepsSentences, kFlag);
    json.fieldIf("search", session.search, kSearch);
}

ReportSettings settingsToKeep(const Session& session) {
    ReportSettings settings = session.report;
    if (!session.keepsSentences) {
        settings.sentences.clear();
    }
    return settings;
}

}  // namespace

bool resultsFit(const Session& session) {
    return !session.results ||
           (session.embedding &&
            session.embedding->sha256 == session.results->provenance.embedding.sha256);
}

Result<void> checkReleasable(const Session& session) {
    if (differInNumbersOnly(session.current.mechanism, session.grid.grid.mechanism)) {
        return {};
    }
    return fail(ErrorCode::badFile,
                "the current setting of the session and its grid have different mechanisms, "
                "metrics or laws; open the session in the window and save it again, or name all of "
                "the setting without --session");
}

std::string sessionJson(const Session& session) {
    const ReportSettings report = settingsToKeep(session);
    FieldWriter json;
    describeSession(json, session, report);
    json.put("results", session.results ? calibrationDocument(*session.results) : nullptr);
    for (const auto& [member, evaluation] : evaluationsOf(session)) {
        json.put(member, *evaluation
                             ? evaluationDocument(keptPart(**evaluation, session.keepsSentences))
                             : nullptr);
    }
    return jsonText(std::move(json).json());
}

Result<Session> readSession(const JsonDocument& document) {
    return readDocument(document, [](const JsonNode& node) {
        Session session;
        FieldReader json(node);
        describeSession(json, session, session.report);
        if (const auto results = node.find("results")) {
            session.results = readCalibration(*results);
            if (!resultsFit(session)) {
                results->at("embedding").at("sha256").complain(kOtherVectors);
            }
        }
        for (const auto& [member, evaluation] : evaluationsOf(session)) {
            const auto kept = node.find(member);
            if (!kept) {
                continue;
            }
            *evaluation = readEvaluation(*kept);
            if (!(*evaluation)->request) {
                kept->complain("it does not hold what it was asked for");
            }
            if (!session.embedding ||
                (*evaluation)->provenance.embedding.sha256 != session.embedding->sha256) {
                kept->at("embedding").at("sha256").complain(kOtherVectors);
            }
        }
        return session;
    });
}

Result<Session> readSession(std::string_view json) {
    return parseJson(json).and_then(
        [](const JsonDocument& document) { return readSession(document); });
}

}  // namespace epsilens::document
