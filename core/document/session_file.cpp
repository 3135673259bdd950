#include "core/document/session_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/json_parser.h"
#include "core/document/json_parts.h"
#include "core/document/results_file.h"
#include "core/io/pending_file.h"
#include "core/io/replace_file.h"

namespace epsilens::document {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotSaved =
    "the results do not belong to the vectors of the session, and the two are not saved "
    "together; calibrate again";

std::string besideSession(const std::string& path, const std::string& name) {
    return (fs::path(folderOf(path)) / name).string();
}

/// From a folder without links to a file, whose own name may be a link.
std::string relativeTo(const std::string& folder, const std::string& path) {
    const fs::path file(path);
    const fs::path place =
        fs::path(io::withoutLinks(file.parent_path().string())) / file.filename();
    return place.lexically_relative(folder).string();
}

/// The file that a document means. A document is UTF-8, so that U+FFFD may stand in it for other
/// bytes of a name.
std::string named(const fs::path& path) {
    fs::path place;
    for (const fs::path& name : path) {
        std::error_code error;
        fs::path next = place / name;
        if (name.string().find("\uFFFD") != std::string::npos && !fs::exists(next, error)) {
            fs::directory_iterator entry(place.empty() ? fs::path(".") : place, error);
            for (; entry != fs::directory_iterator(); entry.increment(error)) {
                if (jsonLine(entry->path().filename().string()) == jsonLine(name.string())) {
                    next = entry->path();
                }
            }
        }
        place = std::move(next);
    }
    return place.string();
}

/// A name that cannot lead out of the folder of the session.
bool isPlainName(const std::string& name) {
    return !name.empty() && fs::path(name).filename() == name && name != "." && name != "..";
}

/// Puts large results beside the session, before anything refers to them. Returns their name, empty
/// for results that stand inside.
Result<std::string> saveResults(const std::string& path, const Session& session,
                                std::size_t mostInline) {
    const std::string results = session.results ? resultsJson(*session.results) : std::string();
    if (results.size() > kMostBytes) {
        return fail(ErrorCode::resourceLimit,
                    fmt::format("the results take {} bytes and a session keeps at most {}; "
                                "calibrate fewer words or a smaller grid",
                                formatCount(static_cast<std::int64_t>(results.size())),
                                formatCount(static_cast<std::int64_t>(kMostBytes))));
    }
    if (results.size() <= mostInline) {
        return std::string();
    }
    std::string name = resultsName(path, results);
    auto written = io::replaceFile(besideSession(path, name), results, io::FileAccess::ownerOnly);
    return written ? Result<std::string>(std::move(name)) : tl::unexpected(written.error());
}

}  // namespace

Result<void> saveSession(const std::string& path, Session session, std::size_t mostInline) {
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
    const auto relate = [&path](auto& kept) {
        if (kept) {
            kept->data.relativePath = relativeTo(folderOf(path), kept->data.options.path);
        }
    };
    relate(session.search);
    for (const auto& [member, evaluation] : evaluationsOf(session)) {
        relate(*evaluation);
    }
    ASSIGN_OR_RETURN(const auto resultsFile, saveResults(path, session, mostInline));
    Result<void> written =
        io::replaceFile(path, sessionJson(session, resultsFile), io::FileAccess::ownerOnly);
    removeUnusedResults(path, written ? resultsFile : std::string());
    return written;
}

Result<OpenedSession> openSession(JsonDocument json, const std::string& path,
                                  const std::stop_token& stop) {
    auto text = readSession(json);
    if (!text) {
        return tl::unexpected(inFile(std::move(text.error()), path));
    }
    if (text->resultsFile.empty()) {
        return OpenedSession{std::move(text->session), {}, std::move(json)};
    }
    if (!isPlainName(text->resultsFile)) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "\"results.file\": it is not the name of a file beside the "
                                    "session",
                                    path, 0});
    }
    ASSIGN_OR_RETURN(const auto beside, firstExisting({besideSession(path, text->resultsFile)}));
    ASSIGN_OR_RETURN(auto results, openJson(beside, stop));
    auto run =
        readDocument(results, [](const JsonNode& node) { return readCalibration(node, true); });
    if (!run) {
        return tl::unexpected(inFile(std::move(run.error()), beside));
    }
    text->session.results = std::move(*run);
    if (!resultsFit(text->session)) {
        return tl::unexpected(Error{ErrorCode::badFile, std::string(kOtherVectors), beside, 0});
    }
    return OpenedSession{std::move(text->session), std::move(text->resultsFile),
                         std::move(results)};
}

Result<Session> openSession(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto json, openJson(path, stop));
    ASSIGN_OR_RETURN(auto opened, openSession(std::move(json), path, stop));
    return std::move(opened.session);
}

std::vector<std::string> embeddingPlaces(const SessionEmbedding& embedding,
                                         const std::string& sessionPath) {
    if (embedding::isBuiltIn(embedding.load.path)) {
        return {embedding.load.path};
    }
    const fs::path folder(folderOf(sessionPath));
    std::vector<std::string> places;
    if (!embedding.relativePath.empty()) {
        places.push_back(named((folder / embedding.relativePath).lexically_normal()));
    }
    places.push_back(named(embedding.load.path));
    places.push_back(named(folder / fs::path(embedding.load.path).filename()));
    return places;
}

Result<std::string> firstExisting(const std::vector<std::string>& places) {
    std::error_code error;
    const auto found = std::find_if(places.begin(), places.end(), [&](const std::string& place) {
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
