#include "core/document/results_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/io/pending_file.h"
#include "core/io/raw_input.h"
#include "core/io/sha256.h"

namespace epsilens::document {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".results";
constexpr std::size_t kDigits = 16;

std::string startOfName(const std::string& sessionPath) {
    return fs::path(io::withoutLinks(sessionPath)).stem().string() + "-";
}

bool isOfSession(std::string_view name, std::string_view start) {
    return name.size() == start.size() + kDigits + kEnding.size() && name.starts_with(start) &&
           name.ends_with(kEnding) &&
           name.substr(start.size(), kDigits).find_first_not_of("0123456789abcdef") ==
               std::string_view::npos;
}

std::vector<fs::path> filesIn(const std::string& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error)) {
        files.push_back(file->path());
    }
    return files;
}

bool isSession(const fs::path& file) {
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return ending == ".epsilens";
}

/// Whether a file has these letters, or cannot be read.
bool mayHold(const fs::path& file, std::string_view letters) {
    const auto input = io::RawInput::open(file.string(), {});
    std::string piece;
    while (input) {
        constexpr std::size_t kPiece = std::size_t{1} << 20;
        // The last ones again: the letters may begin there.
        piece.erase(0, piece.size() - std::min(piece.size(), letters.size()));
        const std::size_t before = piece.size();
        piece.resize(before + kPiece);
        const auto count = (*input)->read(piece.data() + before, kPiece);
        if (!count || *count == 0) {
            return !count;
        }
        piece.resize(before + *count);
        if (piece.find(letters) != std::string::npos) {
            return true;
        }
    }
    return true;
}

/// The digits tell results apart, whatever JSON makes of the letters before them.
bool refersTo(const fs::path& session, const std::string& name) {
    return mayHold(session, std::string_view(name).substr(name.size() - kEnding.size() - kDigits));
}

}  // namespace

std::string folderOf(const std::string& path) {
    return fs::path(io::withoutLinks(path)).parent_path().string();
}

std::string resultsName(const std::string& sessionPath, std::string_view results) {
    const std::string digits = io::sha256(results.data(), results.size()).substr(0, kDigits);
    return fmt::format("{}{}{}", startOfName(sessionPath), digits, kEnding);
}

void removeUnusedResults(const std::string& sessionPath, const std::string& kept) {
    const std::string start = startOfName(sessionPath);
    const fs::path ownName = fs::path(io::withoutLinks(sessionPath)).filename();
    const std::vector<fs::path> files = filesIn(folderOf(sessionPath));
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        if (name == kept || !isOfSession(name, start)) {
            continue;
        }
        const bool isUsed = std::any_of(files.begin(), files.end(), [&](const fs::path& other) {
            return (isSession(other) || other.filename() == ownName) && refersTo(other, name);
        });
        if (!isUsed) {
            std::error_code ignored;
            fs::remove(file, ignored);
        }
    }
}

}  // namespace epsilens::document
