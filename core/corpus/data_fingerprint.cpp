#include "core/corpus/data_fingerprint.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/io/raw_input.h"

namespace epsilens::corpus {

namespace fs = std::filesystem;

Result<DataFingerprint> fingerprintOf(const DataSetOptions& options, const std::stop_token& stop) {
    std::vector<std::string> roots{options.path};
    if (!options.testPath.empty()) {
        roots.push_back(options.testPath);
    }
    DataFingerprint fingerprint;
    std::string list;
    int files = 0;
    for (const std::string& root : roots) {
        std::error_code error;
        const bool isFolder = fs::is_directory(root, error);
        if (!isFolder && !fs::is_regular_file(root, error)) {
            return fail(ErrorCode::badFile, fmt::format("{} is neither a file nor a folder", root));
        }
        std::vector<std::string> paths{root};
        if (isFolder) {
            ASSIGN_OR_RETURN(paths, textFilesOf(root));
        }
        for (const std::string& file : paths) {
            const fs::path path(file);
            ASSIGN_OR_RETURN(const auto input, io::RawInput::open(file, stop));
            ASSIGN_OR_RETURN(fingerprint.sha256, input->finish());
            fingerprint.bytes += input->bytesRead();
            const fs::path name = isFolder ? path.lexically_relative(root) : path.filename();
            list += fmt::format("{} {}\n", fingerprint.sha256, name.string());
            ++files;
        }
    }
    if (files != 1) {
        fingerprint.sha256 = io::sha256(list.data(), list.size());
    }
    return fingerprint;
}

}  // namespace epsilens::corpus
