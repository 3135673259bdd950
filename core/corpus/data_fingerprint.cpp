#include "core/corpus/data_fingerprint.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/io/raw_input.h"

namespace epsilens::corpus {
namespace {

namespace fs = std::filesystem;

struct DataFile {
    std::string path{};
    std::string name{};  ///< within the data set
};

Result<void> addFilesOf(const std::string& path, std::vector<DataFile>& files) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) {
        files.push_back({path, fs::path(path).filename().string()});
        return {};
    }
    if (!fs::is_directory(path, error)) {
        return fail(ErrorCode::badFile, fmt::format("{} is neither a file nor a folder", path));
    }
    ASSIGN_OR_RETURN(const auto found, textFilesOf(path));
    for (const std::string& file : found) {
        files.push_back({file, fs::path(file).lexically_relative(path).string()});
    }
    return {};
}

}  // namespace

Result<DataFingerprint> fingerprintOf(const DataSetOptions& options, const std::stop_token& stop) {
    std::vector<DataFile> files;
    RETURN_IF_ERROR(addFilesOf(options.path, files));
    if (!options.testPath.empty()) {
        RETURN_IF_ERROR(addFilesOf(options.testPath, files));
    }
    DataFingerprint fingerprint;
    std::string list;
    for (const DataFile& file : files) {
        ASSIGN_OR_RETURN(const auto input, io::RawInput::open(file.path, stop));
        ASSIGN_OR_RETURN(fingerprint.sha256, input->finish());
        fingerprint.bytes += input->bytesRead();
        list += fmt::format("{} {}\n", fingerprint.sha256, file.name);
    }
    if (files.size() != 1) {
        fingerprint.sha256 = io::sha256(list.data(), list.size());
    }
    return fingerprint;
}

}  // namespace epsilens::corpus
