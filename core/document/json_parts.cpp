#include "core/document/json_parts.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/ascii.h"
#include "core/base/enum_names.h"
#include "core/io/text_decoder.h"

namespace epsilens::document {

using nlohmann::ordered_json;

namespace {

/// Before a path that is no UTF-8.
constexpr std::string_view kEncodedPath = "file:";

}  // namespace

ordered_json jsonNumber(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

std::string pathText(std::string_view path) {
    if (io::isValidUtf8(path) && !path.starts_with(kEncodedPath)) {
        return std::string(path);
    }
    std::string text(kEncodedPath);
    for (const char byte : path) {
        text += byte == '%' || !isAscii(byte)
                    ? fmt::format("%{:02X}", static_cast<unsigned char>(byte))
                    : std::string(1, byte);
    }
    return text;
}

std::string pathOf(std::string_view text) {
    if (!text.starts_with(kEncodedPath)) {
        return std::string(text);
    }
    std::string path;
    for (std::size_t at = kEncodedPath.size(); at < text.size(); ++at) {
        unsigned byte = 0;
        const char* const digits = text.data() + at + 1;
        const bool isEncoded = text[at] == '%' && at + 2 < text.size() &&
                               std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        path += isEncoded ? static_cast<char>(byte) : text[at];
        at += isEncoded ? 2 : 0;
    }
    return path;
}

ordered_json jsonError(const Error& error, int exitCode) {
    constexpr EnumNames<ErrorCode, 8> kNames{{{"invalidArgument", ErrorCode::invalidArgument},
                                              {"badFile", ErrorCode::badFile},
                                              {"ioFailed", ErrorCode::ioFailed},
                                              {"unsupported", ErrorCode::unsupported},
                                              {"resourceLimit", ErrorCode::resourceLimit},
                                              {"cancelled", ErrorCode::cancelled},
                                              {"limitsNotMet", ErrorCode::limitsNotMet},
                                              {"internal", ErrorCode::internal}}};
    return {{"error",
             {{"code", nameIn(kNames, error.code)},
              {"exit", exitCode},
              {"message", error.message},
              {"file", error.file.empty() ? ordered_json(nullptr) : ordered_json(error.file)},
              {"line", error.line > 0 ? ordered_json(error.line) : ordered_json(nullptr)}}}};
}

std::string errorJson(const Error& error, int exitCode) {
    return jsonLine(jsonError(error, exitCode)) + "\n";
}

std::string jsonText(const ordered_json& document) {
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string jsonLine(const ordered_json& document) {
    return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace epsilens::document
