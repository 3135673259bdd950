#include "core/document/session.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parts.h"
#include "core/io/output.h"

namespace epsilens::document {
namespace {

constexpr std::size_t kMostPins = 1'000;
constexpr std::size_t kMostSentences = 1'000;

constexpr auto kSessionEmbedding = objectOf([](auto& json, auto& embedding) {
    kLoad.describe(json, embedding.load);
    json.field("relativePath", embedding.relativePath, kPath);
    json.field("bytes", embedding.bytes);
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
    kVariant.describe(json, setting.mechanism);
    if constexpr (kReads<decltype(json)>) {
        numbers.lambda = lambda;
        setting.mechanism = setting.mechanism.with(numbers);
    }
});

constexpr auto kSessionSettings = objectOf([](auto& json, auto& session) {
    json.field("current", session.current, kSetting);
    json.field("grid", session.grid, kOptions);
    json.fieldIf("selection", session.wordsFrom, kSelection);
    json.field("percentileBand", session.percentileBand, pairOf(Integer{0, 100}));
    if constexpr (kReads<decltype(json)>) {
        json.demand(std::find(kPercentileBands.begin(), kPercentileBands.end(),
                              session.percentileBand) != kPercentileBands.end(),
                    "percentileBand", "it is not one of the bands [1, 99], [5, 95] and [25, 75]");
    }
    json.field("letterCase", session.letterCase, kCase);
});

constexpr std::size_t kMostTried = 10'000;

constexpr auto kTried = objectOf([](auto& json, auto& tried) {
    json.field("epsilon", tried.epsilon, kAboveZero);
    json.field("checks", tried.checks, listOf(kFigureCheck, kMostLimits));
});

constexpr auto kFound = objectOf([](auto& json, auto& found) {
    json.field("epsilon", found.epsilon, kAboveZero);
    json.field("checks", found.checks, listOf(kFigureCheck, kMostLimits));
    json.field("fresh", found.fresh, listOf(kFigureCheck, kMostLimits));
    json.field("above", found.above, kAboveZero);
    json.field("binding", found.binding, kFigureCheck);
    json.field("closest", found.closest, kAtLeastZero);
    json.field("tried", found.tried, listOf(kTried, kMostTried));
});

constexpr auto kSearch = objectOf([](auto& json, auto& search) {
    json.field("data", search.data, kKeptData);
    json.field("options", search.options, kEvaluationOptions);
    kLimits.describe(json, search);
    json.field("draws", search.draws, Integer{1, kMostDraws});
    json.field("found", search.found, kFound);
    if constexpr (kReads<decltype(json)>) {
        json.demand(search.options.grid.mechanisms().size() == 1, "options",
                    "a search is of one setting of a mechanism");
    }
});

/// All but the results.
template <typename Fields, typename Owner, typename Settings>
void describeSession(Fields& json, Owner& session, Settings& report) {
    json.schema(kSessionSchema);
    json.field("version", session.version, Text{kLongestName});
    json.field("embedding", session.embedding, kSessionEmbedding);
    json.field("settings", session, kSessionSettings);
    kLimits.describe(json, report);
    json.field("pins", session.pins, listOf(kSetting, kMostPins));
    json.field("report", report, objectOf([](auto& part, auto& settings) {
                   kReportSettings.describe(part, settings);
                   part.field("sentences", settings.sentences, listOf(kText, kMostSentences));
               }));
    json.field("keepsSentences", session.keepsSentences);
    json.fieldIf("search", session.search, kSearch);
}

ReportSettings settingsToKeep(const Session& session) {
    ReportSettings settings = session.report;
    if (!session.keepsSentences) {
        settings.sentences.clear();
    }
    return settings;
}

namespace fs = std::filesystem;

constexpr std::string_view kNotSaved =
    "the results do not belong to the vectors of the session, and the two are not saved "
    "together; calibrate again";

/// The folder in which a file of this path is written, absolute: links are followed, as they are
/// when it is written.
std::string folderOf(const std::string& path) {
    return fs::path(io::withoutLinks(path)).parent_path().string();
}

/// From a folder without links to a file, whose own name may be a link.
std::string relativeTo(const std::string& folder, const std::string& path) {
    const fs::path file(path);
    const fs::path place =
        fs::path(io::withoutLinks(file.parent_path().string())) / file.filename();
    return place.lexically_relative(folder).string();
}

}  // namespace

bool KeptSearch::hasSameQuestion(const KeptSearch& other) const {
    return options.grid == other.options.grid && options.hasSameTerms(other.options) &&
           limits == other.limits && draws == other.draws && figureLimits == other.figureLimits;
}

bool resultsFit(const Session& session) {
    return !session.results ||
           (session.embedding &&
            session.embedding->sha256 == session.results->provenance.embedding.sha256);
}

Result<void> checkReleasable(const Session& session) {
    const mechanism::Mechanism& current = session.current.mechanism;
    const mechanism::Mechanism& grid = session.grid.grid.mechanism;
    if (current.isKindOf(grid) && current.metric() == grid.metric() &&
        current.parameters().law == grid.parameters().law) {
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

Result<void> saveSession(const std::string& path, Session session) {
    if (!resultsFit(session)) {
        return fail(ErrorCode::invalidArgument, std::string(kNotSaved));
    }
    if (session.embedding) {
        SessionEmbedding& embedding = *session.embedding;
        embedding.relativePath.clear();
        if (!embedding::isBuiltIn(embedding.load.path)) {
            embedding.relativePath = relativeTo(folderOf(path), embedding.load.path);
        }
    }
    const auto relate = [&path](KeptData& data) {
        data.relativePath = relativeTo(folderOf(path), data.options.path);
    };
    if (session.search) {
        relate(session.search->data);
    }
    for (const auto& [member, evaluation] : evaluationsOf(session)) {
        if (*evaluation) {
            relate((*evaluation)->request->data);
        }
    }
    const std::string text = sessionJson(session);
    if (text.size() > kMostBytes) {
        return fail(
            ErrorCode::resourceLimit,
            fmt::format("the session takes {} bytes, of at most {}; calibrate a smaller grid",
                        formatCount(text.size()), formatCount(kMostBytes)));
    }
    return io::replaceFile(path, text, io::FileAccess::ownerOnly);
}

Result<Session> openSession(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const auto json, openJson(path, stop));
    return readSession(json).map_error(inFile(path));
}

std::vector<std::string> placesOf(const std::string& path, const std::string& relativePath,
                                  const std::string& documentPath) {
    if (embedding::isBuiltIn(path)) {
        return {path};
    }
    const fs::path folder(folderOf(documentPath));
    std::vector<std::string> places;
    if (!relativePath.empty()) {
        places.push_back((folder / relativePath).lexically_normal().string());
    }
    places.push_back(path);
    places.push_back((folder / fs::path(path).filename()).string());
    return places;
}

Result<std::string> firstExisting(const std::vector<std::string>& places) {
    std::error_code error;
    const auto found = std::ranges::find_if(places, [&](const std::string& place) {
        return embedding::isBuiltIn(place) || fs::is_regular_file(place, error);
    });
    if (found != places.end()) {
        return *found;
    }
    for (const std::string& place : places) {
        if (fs::exists(place, error)) {
            return tl::unexpected(Error{ErrorCode::badFile,
                                        "a document may name only files, and this is a pipe, a "
                                        "device or a folder; name the file to open it",
                                        place, 0});
        }
    }
    return places.empty() ? std::string() : places.front();
}

}  // namespace epsilens::document
