#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/embedding/row_readers.h"
#include "core/io/text_decoder.h"

namespace epsilens::embedding {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kFirstBytes = std::size_t{64} << 10;
constexpr std::size_t kMostSampleBytes = std::size_t{16} << 20;
constexpr std::int64_t kSampleLines = 1'000;
constexpr std::int64_t kMostDimensions = 100'000;

tl::unexpected<Error> noEmbedding(std::string_view why) {
    return fail(ErrorCode::badFile, fmt::format("this is not a word embedding: {}", why));
}

/// Whether a file begins with the header of a tar archive: its magic text, and the end of the field
/// of permissions (POSIX.1-2017, pax, "ustar Interchange Format").
bool hasTarHeader(std::string_view bytes) {
    constexpr std::size_t kEndOfMode = 107;
    constexpr std::size_t kMagicAt = 257;
    return bytes.size() > kMagicAt && bytes.substr(kMagicAt).starts_with("ustar"sv) &&
           bytes[kEndOfMode] == '\0';
}

/// First bytes of files of other kinds.
constexpr std::array kOtherStarts{
    std::pair{"FiFu"sv, "it is a finalfusion file; convert it to word2vec format"sv},
    std::pair{"\x93NUMPY"sv,
              "it is a NumPy array without words; save words and vectors in word2vec format"sv},
    std::pair{"\x89HDF"sv, "it is an HDF5 file; convert it to word2vec format"sv},
    std::pair{"\x7f"
              "ELF"sv,
              "it is a program; name the file with the vectors"sv},
    std::pair{"MZ\x90"sv, "it is a program; name the file with the vectors"sv},
    std::pair{"%PDF-"sv, "it is a PDF document; name the file with the vectors"sv},
    std::pair{"\x89PNG"sv, "it is a picture; name the file with the vectors"sv},
    std::pair{"\xff\xd8\xff"sv, "it is a picture; name the file with the vectors"sv},
    std::pair{"SQLite format 3"sv,
              "it is an SQLite database; write a word and its numbers on each line of a text"sv},
    std::pair{"PAR1\x15"sv,
              "it is a Parquet file; write a word and its numbers on each line of a text"sv},
    std::pair{"GGUF\x03\0"sv, "it is a GGUF model; convert its vectors to word2vec format"sv}};

/// What a file is that people mistake for an embedding; empty if not known.
std::string_view knownOther(std::string_view bytes) {
    if (bytes.size() >= 3 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 &&
        bytes[2] != 0) {
        return "it is a Python pickle; save the vectors in word2vec format";
    }
    if (hasTarHeader(bytes)) {
        return "it is a tar archive; unpack it and open the file with the vectors";
    }
    if (!io::compressionOf(bytes).empty()) {
        return "it was compressed twice; decompress it once and open the result";
    }
    const auto known = std::ranges::find_if(
        kOtherStarts, [&](const auto& other) { return bytes.starts_with(other.first); });
    return known == kOtherStarts.end() ? std::string_view() : known->second;
}

/// What a text is whose lines do not end in numbers; empty if not known.
std::string_view knownText(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with('{') || text.starts_with('[')) {
        return text.substr(0, kFirstBytes).find("\"epsilens.") != std::string_view::npos
                   ? "it is a document of Epsilens; give it to --from or --session"
                   : "it looks like JSON; write a word and its numbers on each line instead";
    }
    if (text.starts_with('<')) {
        return "it looks like HTML or XML, perhaps the page of a download; fetch the file itself";
    }
    return {};
}

/// First line "rows dimensions" of the word2vec formats.
struct Word2vecHeader {
    std::int64_t rows = 0;
    std::int64_t dimensions = 0;
    std::size_t bytes = 0;  ///< with the line end
};

/// Nothing unless the first line consists of two whole numbers. Numbers too large for their type
/// become the largest one.
std::optional<Word2vecHeader> word2vecHeader(std::string_view bytes) {
    constexpr std::size_t kLongestHeader = 64;
    const std::size_t lineEnd = bytes.substr(0, kLongestHeader).find('\n');
    if (lineEnd == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view line = bytes.substr(0, lineEnd);
    std::array<std::int64_t, 2> numbers{};
    for (std::int64_t& number : numbers) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        const std::string_view digits = line.substr(0, line.find_first_of(" \t\r"));
        if (digits.empty() || !std::ranges::all_of(digits, isAsciiDigit)) {
            return std::nullopt;
        }
        const auto [stop, status] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (status == std::errc::result_out_of_range) {
            number = std::numeric_limits<std::int64_t>::max();
        }
        line.remove_prefix(digits.size());
    }
    if (!trimmed(line).empty()) {
        return std::nullopt;
    }
    return Word2vecHeader{numbers[0], numbers[1], lineEnd + 1};
}

/// What the first lines of a text look like.
struct Sample {
    std::int64_t lines = 0;
    std::int64_t numbers = 0;  ///< at the end of most lines
    double bytesPerLine = 0.0;
};

/// Reads ahead until kSampleLines lines are complete.
Result<std::string_view> peekLines(io::ByteSource& source) {
    std::size_t size = kFirstBytes;
    while (true) {
        auto bytes = source.peek(size);
        if (!bytes || bytes->size() < size || size >= kMostSampleBytes ||
            std::count(bytes->begin(), bytes->end(), '\n') > kSampleLines + 1) {
            return bytes;
        }
        size *= 2;
    }
}

/// complete  whether the text ends where the file ends
Sample takeSample(std::string_view text, bool complete) {
    Sample sample;
    std::map<std::int64_t, std::int64_t> linesByCount;
    std::size_t begin = 0;
    while (begin < text.size() && sample.lines < kSampleLines) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end == text.size() && !complete && sample.lines > 0) {
            break;
        }
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            ++sample.lines;
            ++linesByCount[countNumbers(line)];
        }
    }
    std::int64_t most = 0;
    for (const auto& [numbers, lines] : linesByCount) {
        if (lines >= most) {
            most = lines;
            sample.numbers = numbers;
        }
    }
    if (sample.lines > 0) {
        sample.bytesPerLine =
            static_cast<double>(std::min(begin, text.size())) / static_cast<double>(sample.lines);
    }
    return sample;
}

bool hasControlCharacters(std::string_view text) {
    return std::ranges::any_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && (byte < '\t' || byte > '\r');
    });
}

/// Whether what follows a word2vec header are binary values. Many of them have control characters
/// among their bytes; few may have none, but then their file is small.
///
/// complete  whether the rows end where the file ends
bool looksBinary(std::string_view rows, const Word2vecHeader& header, const Sample& sample,
                 bool complete) {
    if (sample.numbers == header.dimensions) {
        return false;
    }
    if (hasControlCharacters(rows.substr(0, kFirstBytes))) {
        return true;
    }
    return complete && sample.numbers == 0 && !io::isValidUtf8(rows);
}

Result<void> checkDimensions(std::int64_t dimensions) {
    if (dimensions < 1 || dimensions > kMostDimensions) {
        return noEmbedding(fmt::format("its header announces {} dimensions; allowed are 1 to {}",
                                       formatCount(dimensions), formatCount(kMostDimensions)));
    }
    return {};
}

Result<void> checkRows(std::int64_t rows, double fewestBytesPerRow, const io::ByteSource& source,
                       std::size_t headerBytes) {
    if (rows == 0) {
        return noEmbedding("its header announces no rows");
    }
    const auto left = source.bytesLeft();
    // The last row of a text has no need of a line end.
    if (left && static_cast<double>(rows) * fewestBytesPerRow >
                    static_cast<double>(*left - headerBytes + 1)) {
        return fail(ErrorCode::badFile,
                    fmt::format("the header announces {} rows, but the file is too short for them; "
                                "it may be cut off",
                                formatCount(rows)));
    }
    return {};
}

Result<DetectedFormat> asBinary(const Word2vecHeader& header, const io::ByteSource& source) {
    RETURN_IF_ERROR(checkDimensions(header.dimensions));
    const double bytesPerRow = 4.0 * static_cast<double>(header.dimensions) + 1.0;
    RETURN_IF_ERROR(checkRows(header.rows, bytesPerRow, source, header.bytes));
    return DetectedFormat{FileFormat::word2vecBinary, header.dimensions, header.rows, header.bytes,
                          bytesPerRow};
}

Result<DetectedFormat> asWord2vecText(const Word2vecHeader& header, const Sample& sample,
                                      const io::ByteSource& source, std::size_t headerBytes) {
    RETURN_IF_ERROR(checkDimensions(header.dimensions));
    const double fewestBytes = 2.0 * static_cast<double>(header.dimensions) + 1.0;
    RETURN_IF_ERROR(checkRows(header.rows, fewestBytes, source, headerBytes));
    if (sample.lines > 0 && sample.numbers != header.dimensions) {
        return noEmbedding(
            fmt::format("its header announces {} dimensions, but most lines have {} numbers",
                        formatCount(header.dimensions), formatCount(sample.numbers)));
    }
    return DetectedFormat{FileFormat::word2vecText, header.dimensions, header.rows, headerBytes,
                          sample.bytesPerLine};
}

/// looksLike  what the file may be if it is no embedding; empty if not known
Result<DetectedFormat> asGlove(const Sample& sample, InputFormat wanted, std::size_t headerBytes,
                               std::string_view looksLike) {
    if (sample.numbers == 0) {
        return noEmbedding(looksLike.empty()
                               ? "most of its first lines do not end in numbers; each line must be "
                                 "a word and its numbers, separated by blanks"sv
                               : looksLike);
    }
    if (sample.numbers == 1 && wanted != InputFormat::glove) {
        return noEmbedding(
            "most of its first lines have one number; if they are vectors of one dimension, the "
            "first line must have the numbers of rows and dimensions, such as 5000 1");
    }
    if (sample.numbers > kMostDimensions) {
        return noEmbedding(fmt::format("its lines have {} numbers; at most {} are allowed",
                                       formatCount(sample.numbers), formatCount(kMostDimensions)));
    }
    return DetectedFormat{FileFormat::gloveText, sample.numbers, std::nullopt, headerBytes,
                          sample.bytesPerLine};
}

/// The word2vec formats, which share their header.
///
/// rows      first bytes behind the header
/// complete  whether they end where the file ends
/// mark      bytes before the header
Result<DetectedFormat> detectByHeader(const Word2vecHeader& header, std::string_view rows,
                                      bool complete, InputFormat wanted,
                                      const io::ByteSource& source, std::size_t mark) {
    if (wanted == InputFormat::word2vecBinary) {
        return asBinary(header, source);
    }
    const Sample sample = takeSample(rows, complete);
    if (wanted == InputFormat::automatic && looksBinary(rows, header, sample, complete)) {
        return asBinary(header, source);
    }
    return asWord2vecText(header, sample, source, mark + header.bytes);
}

/// Text formats and word2vec binary.
Result<DetectedFormat> detectByLines(io::ByteSource& source, InputFormat wanted) {
    ASSIGN_OR_RETURN(const auto text, peekLines(source));
    ASSIGN_OR_RETURN(const auto farther, source.peek(text.size() + 1));
    const bool complete = farther.size() == text.size();
    const std::size_t mark =
        farther.starts_with(io::kByteOrderMark) ? io::kByteOrderMark.size() : 0;
    const std::string_view content = farther.substr(mark);
    const auto header = wanted == InputFormat::glove ? std::nullopt : word2vecHeader(content);
    if (!header && (wanted == InputFormat::word2vecText || wanted == InputFormat::word2vecBinary)) {
        return fail(ErrorCode::badFile,
                    "the first line is not a header with the numbers of rows and dimensions");
    }
    if (!header) {
        return asGlove(takeSample(content, complete), wanted, mark, knownText(content));
    }
    return detectByHeader(*header, content.substr(header->bytes), complete, wanted, source, mark);
}

}  // namespace

Result<DetectedFormat> detectFormat(io::ByteSource& source, InputFormat wanted) {
    ASSIGN_OR_RETURN(const auto start, source.peek(kFirstBytes));
    if (start.empty()) {
        return noEmbedding("it is empty; name the file with the vectors");
    }
    if (const std::string_view other = knownOther(start); !other.empty()) {
        return noEmbedding(other);
    }
    if (wanted == InputFormat::fasttext ||
        (wanted == InputFormat::automatic && looksLikeFasttext(start))) {
        return DetectedFormat{FileFormat::fasttextBinary, 0, std::nullopt, 0, 0.0};
    }
    return detectByLines(source, wanted);
}

}  // namespace epsilens::embedding
