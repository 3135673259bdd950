#include "core/document/session_file.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/json_parts.h"
#include "core/io/output.h"

namespace epsilens::document {
namespace {

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

/// The file that a document means. A document is UTF-8, so that U+FFFD may stand in it for other
/// bytes of a name, if only one there is has them.
std::string named(const fs::path& path) {
    fs::path place;
    for (const fs::path& name : path) {
        std::error_code error;
        fs::path next = place / name;
        if (name.string().find("\uFFFD") != std::string::npos && !fs::exists(next, error)) {
            std::vector<fs::path> fitting;
            fs::directory_iterator entry(place.empty() ? fs::path(".") : place, error);
            for (; entry != fs::directory_iterator(); entry.increment(error)) {
                if (jsonLine(entry->path().filename().string()) == jsonLine(name.string())) {
                    fitting.push_back(entry->path());
                }
            }
            next = fitting.size() == 1 ? fitting.front() : next;
        }
        place = std::move(next);
    }
    return place.string();
}

}  // namespace

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
    return readSession(json).map_error(
        [&path](Error error) { return inFile(std::move(error), path); });
}

std::vector<std::string> placesOf(const std::string& path, const std::string& relativePath,
                                  const std::string& documentPath) {
    if (embedding::isBuiltIn(path)) {
        return {path};
    }
    const fs::path folder(folderOf(documentPath));
    std::vector<std::string> places;
    if (!relativePath.empty()) {
        places.push_back(named((folder / relativePath).lexically_normal()));
    }
    places.push_back(named(path));
    places.push_back(named(folder / fs::path(path).filename()));
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
