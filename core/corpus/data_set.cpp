#include "core/corpus/data_set.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"
#include "core/text/letter_case.h"

namespace epsilens::corpus {
namespace {

namespace fs = std::filesystem;

using Fields = std::span<const std::string>;

// Names of columns in public data sets, in lower case; earlier ones win.
constexpr std::array<std::string_view, 14> kTextNames{
    "text",    "message",  "tweet", "sentence", "review", "content", "document",
    "comment", "question", "body",  "sms",      "email",  "post",    "utterance"};
constexpr std::array<std::string_view, 11> kLabelNames{
    "label",    "labels", "class", "target", "category", "sentiment",
    "polarity", "topic",  "spam",  "rating", "intent"};
constexpr std::array<std::string_view, 7> kAuthorNames{"author",  "user",      "writer", "username",
                                                       "user_id", "author_id", "speaker"};
constexpr std::array<std::string_view, 4> kSplitNames{"split", "part", "subset", "fold"};

/// What a column is for.
struct Role {
    std::string_view name;
    std::string DataSetOptions::*asked;
    std::optional<Column> DataColumns::*found;
    std::span<const std::string_view> usual;  ///< names
};
constexpr std::array<Role, 4> kRoles{
    Role{"text", &DataSetOptions::textColumn, &DataColumns::textColumn, kTextNames},
    Role{"label", &DataSetOptions::labelColumn, &DataColumns::labelColumn, kLabelNames},
    Role{"author", &DataSetOptions::authorColumn, &DataColumns::authorColumn, kAuthorNames},
    Role{"split", &DataSetOptions::splitColumn, &DataColumns::splitColumn, kSplitNames}};

/// The part of a data set that a field names, such as "train", "training" or "dev"; nothing for
/// another word.
std::optional<Split> splitOf(std::string_view field) {
    const std::string part = text::toLower(field);
    if (part.starts_with("train")) {
        return Split::training;
    }
    if (part.starts_with("test")) {
        return Split::test;
    }
    return part.starts_with("dev") || part.starts_with("val") || part == "unsup"
               ? std::optional(Split::none)
               : std::nullopt;
}

/// Chooses the columns of a file by its first records; a column serves once.
class Columns : public DataColumns {
public:
    /// isHeader  whether the first record surely holds names
    Result<void> choose(std::span<const std::vector<std::string>> records, bool isHeader,
                        const DataSetOptions& options) {
        m_records = records;
        countBelow(1);
        const auto isNamed = [&](const Role& role) {
            const std::string& asked = options.*role.asked;
            return !asked.empty() && !io::isColumnNumber(asked);
        };
        m_isHeaderKnown =
            isHeader || std::ranges::any_of(kRoles, isNamed) || findName(kTextNames).has_value();
        m_hasHeader = m_isHeaderKnown || looksLikeHeader();
        countBelow(m_hasHeader ? 1 : 0);
        // The text comes last: what serves for something else is none.
        for (const std::size_t role : {1U, 2U, 3U, 0U}) {
            ASSIGN_OR_RETURN(this->*kRoles.at(role).found,
                             chosen(options.*kRoles.at(role).asked, kRoles.at(role).usual));
        }
        if (splitColumn && splitColumn->isGuessed && !namesParts(splitColumn->place)) {
            splitColumn.reset();
        }
        if (!textColumn) {
            textColumn = freeWithMost([](const Counts& counts) {
                std::size_t bytes = 1;
                for (const auto& [field, count] : counts) {
                    bytes += field.size() * count;
                }
                return bytes;
            });
        }
        if (!textColumn) {
            return refuse("the data set has no column left for the text; number of its columns: " +
                          formatCount(first().size()));
        }
        if (!labelColumn && !authorColumn) {
            chooseLabels();
        }
        return {};
    }

    bool hasHeader() const { return m_hasHeader; }

    /// "text: column message (guessed); label: …" for people.
    std::string text() const {
        std::string all;
        for (const Role& role : kRoles) {
            if (const auto& column = this->*role.found) {
                all += fmt::format("{}{}: column {}{}", all.empty() ? "" : "; ", role.name,
                                   column->name, column->isGuessed ? " (guessed)" : "");
            }
        }
        return m_isHeaderKnown ? all
               : m_hasHeader   ? all + "; line 1: names of the columns (guessed)"
                               : all + "; line 1: a document (guessed)";
    }

private:
    /// The different fields of a column and how often each occurs.
    using Counts = std::map<std::string_view, std::size_t>;

    const std::vector<std::string>& first() const { return m_records.front(); }

    void countBelow(std::size_t header) {
        m_counts.assign(first().size(), {});
        for (const auto& record : m_records.subspan(header)) {
            for (std::size_t place = 0; place < record.size(); ++place) {
                ++m_counts[place][record[place]];
            }
        }
    }

    /// A first record whose fields are short names while one column holds labels below it that all
    /// come again, and not the one in the first record.
    bool looksLikeHeader() const {
        constexpr std::size_t kFewestRecords = 5;
        if (m_records.size() < kFewestRecords || first().size() < 2 ||
            !std::ranges::all_of(first(), looksLikeName)) {
            return false;
        }
        return std::ranges::any_of(m_counts, [&](const Counts& counts) {
            const auto place = static_cast<std::size_t>(&counts - m_counts.data());
            return !counts.empty() && 2 * counts.size() < m_records.size() &&
                   std::ranges::all_of(counts,
                                       [](const auto& field) { return field.second > 1; }) &&
                   !counts.contains(first()[place]);
        });
    }

    /// One to three words that do not begin with a digit.
    static bool looksLikeName(const std::string& field) {
        constexpr std::size_t kLongest = 40;
        constexpr std::ptrdiff_t kMostBlanks = 2;
        return !field.empty() && field.size() <= kLongest && !isAsciiDigit(field.front()) &&
               std::ranges::count(field, ' ') <= kMostBlanks;
    }

    /// Whether more than half of the fields name a part.
    bool namesParts(std::size_t place) const {
        std::size_t fields = 0;
        std::size_t parts = 0;
        for (const auto& [field, count] : m_counts[place]) {
            fields += count;
            parts += splitOf(field) ? count : 0;
        }
        return 2 * parts > fields;
    }

    bool isFree(std::size_t place) const {
        return std::ranges::none_of(kRoles, [&](const Role& role) {
            const auto& column = this->*role.found;
            return column && column->place == place;
        });
    }

    std::optional<std::size_t> findName(std::span<const std::string_view> usual) const {
        for (const std::string_view name : usual) {
            for (std::size_t place = 0; place < first().size(); ++place) {
                if (isFree(place) && text::toLower(first()[place]) == name) {
                    return place;
                }
            }
        }
        return std::nullopt;
    }

    Column placed(std::size_t place, bool isGuessed) const {
        return {m_hasHeader ? first()[place] : std::to_string(place + 1), isGuessed, false, place};
    }

    /// The column that was asked for, or one with a usual name.
    Result<std::optional<Column>> chosen(const std::string& asked,
                                         std::span<const std::string_view> usual) const {
        if (!asked.empty()) {
            return io::columnIn(first(), asked, m_hasHeader).map([&](std::size_t place) {
                return std::optional(placed(place, false));
            });
        }
        const auto place = m_hasHeader ? findName(usual) : std::nullopt;
        return place ? std::optional(placed(*place, true)) : std::nullopt;
    }

    /// The first of the columns that serve for nothing yet with the most of something above 0.
    template <typename Measure>
    std::optional<Column> freeWithMost(const Measure& measure) const {
        std::optional<Column> found;
        std::size_t most = 0;
        for (std::size_t place = 0; place < m_counts.size(); ++place) {
            const std::size_t value = isFree(place) ? measure(m_counts[place]) : 0;
            if (value > most) {
                most = value;
                found = placed(place, true);
            }
        }
        return found;
    }

    /// The column with the fewest different fields: at least two, at most half of the records.
    void chooseLabels() {
        // Rounded up, so that two labels of three records are still found.
        const std::size_t most = (m_records.size() + 1) / 2;
        labelColumn = freeWithMost([&](const Counts& counts) {
            return counts.size() < 2 || counts.size() > most ? 0 : most + 1 - counts.size();
        });
        if (labelColumn) {
            labelColumn->isByContent = true;
        }
    }

    std::span<const std::vector<std::string>> m_records{};  ///< while the columns are chosen
    std::vector<Counts> m_counts{};                         ///< of the columns
    bool m_hasHeader = false;
    bool m_isHeaderKnown = false;  ///< else guessed from content, and perhaps wrong
};

/// The text files in the folder of each class, sorted, so that results do not depend on the file
/// system.
Result<std::vector<std::string>> textFilesOf(const std::string& folder) {
    std::set<fs::path> files;
    std::error_code error;
    std::error_code ignored;  // of a link that leads nowhere, which is no file
    for (auto entry = fs::recursive_directory_iterator(folder, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const bool isHidden = entry->path().filename().string().starts_with('.');
        if (entry.depth() > 1 || isHidden) {
            entry.disable_recursion_pending();
        }
        if (entry.depth() == 1 && !isHidden && entry->is_regular_file(ignored)) {
            files.insert(entry->path());
        }
    }
    if (error) {
        return fail(ErrorCode::badFile,
                    fmt::format("the folder cannot be read: {}", error.message()));
    }
    return std::vector<std::string>(files.begin(), files.end());
}

Result<std::string> bytesOf(const std::string& path, const std::stop_token& stop) {
    constexpr std::size_t kMost = io::RecordScanner::kLongestRecord;
    ASSIGN_OR_RETURN(const auto source, io::ByteSource::open(path, stop));
    for (std::size_t size = std::size_t{64} << 10; size <= kMost; size *= 2) {
        ASSIGN_OR_RETURN(const auto bytes, source->peek(size));
        if (bytes.size() < size) {
            return std::string(bytes);
        }
    }
    return fail(ErrorCode::badFile, fmt::format("the file holds more than {} MiB", kMost >> 20));
}

/// Names of the values of a column, numbered as they come and sorted at the end.
class Names {
public:
    std::int32_t numberOf(const std::string& name) {
        return m_numbers.try_emplace(name, static_cast<std::int32_t>(m_numbers.size()))
            .first->second;
    }
    /// Moves the sorted names out; returns the place that each number has among them.
    std::vector<std::int32_t> sort(std::vector<std::string>& names) {
        std::vector<std::int32_t> places(m_numbers.size());
        for (const auto& [name, number] : m_numbers) {
            places[static_cast<std::size_t>(number)] = static_cast<std::int32_t>(names.size());
            names.push_back(name);
        }
        return places;
    }

private:
    std::map<std::string, std::int32_t> m_numbers{};
};

class Collector {
public:
    Collector(const DataSetOptions& options, const JobContext& job)
        : m_options(options), m_job(job) {}

    /// Adds a file or folder.
    Result<void> add(const std::string& path, Split split) {
        std::error_code error;
        m_row = 0;
        return (fs::is_directory(path, error) ? addFolder(path, split) : addFile(path, split))
            .map_error(inFile(path));
    }

    Result<DataSet> finish() {
        if (m_data.documents.empty()) {
            return fail(
                ErrorCode::badFile,
                "the data set has no document with a text and all that its columns should hold");
        }
        const auto unlabelled = std::ranges::count(m_data.documents, kNone, &Document::label);
        if (unlabelled > 0 && unlabelled < std::ssize(m_data.documents)) {
            return fail(ErrorCode::badFile,
                        "one of the two parts of the data set has labels, the other has none");
        }
        const std::vector<std::int32_t> labels = m_classes.sort(m_data.classes);
        const std::vector<std::int32_t> authors = m_authors.sort(m_data.authors);
        std::unordered_map<std::string_view, std::int32_t> firsts;
        const auto sorted = [](const std::vector<std::int32_t>& places, std::int32_t number) {
            return number == kNone ? kNone : places[static_cast<std::size_t>(number)];
        };
        for (Document& document : m_data.documents) {
            document.label = sorted(labels, document.label);
            document.author = sorted(authors, document.author);
            const auto [found, isNew] = firsts.try_emplace(
                document.text, static_cast<std::int32_t>(&document - m_data.documents.data()));
            document.twin = found->second;
            m_data.duplicates += isNew ? 0 : 1;
        }
        RETURN_IF_ERROR(checkLabels());
        m_data.file = fs::path(m_options.path).filename().string();
        return std::move(m_data);
    }

private:
    Result<void> addFile(const std::string& path, Split split) {
        // Records that columns are guessed from.
        constexpr std::size_t kRecordsLookedAt = 1000;
        ASSIGN_OR_RETURN(auto reader,
                         io::RecordReader::openFields({path, {}, m_options.format}, m_job.stop));
        if (reader.format() == io::RecordFormat::lines) {
            return refuse(
                "a data set with a record a line has no labels; use csv, tsv, tsv-quoted or jsonl");
        }
        std::vector<std::vector<std::string>> first;
        while (first.size() < kRecordsLookedAt) {
            ASSIGN_OR_RETURN(const auto fields, reader.nextFields());
            if (!fields) {
                break;
            }
            first.emplace_back(fields->begin(), fields->end());
        }
        if (first.empty()) {
            return fail(ErrorCode::badFile, "the data set has no records");
        }
        Columns columns;
        RETURN_IF_ERROR(
            columns.choose(first, reader.format() == io::RecordFormat::jsonLines, m_options));
        for (const auto& fields : std::span(first).subspan(columns.hasHeader() ? 1 : 0)) {
            RETURN_IF_ERROR(addRecord(columns, fields, split));
        }
        while (true) {
            ASSIGN_OR_RETURN(const auto fields, reader.nextFields());
            if (!fields) {
                break;
            }
            RETURN_IF_ERROR(addRecord(columns, *fields, split));
            m_job.progress(reader.fractionRead(), "Reading the data set");
        }
        if (split != Split::test) {
            m_data.columns = columns.text();
            static_cast<DataColumns&>(m_data) = columns;
            return {};
        }
        m_data.columns += "; of the test file: " + columns.text();
        return {};
    }

    Result<void> addFolder(const std::string& path, Split split) {
        m_data.columns += fmt::format("{}a text file for each document, a folder for each class",
                                      m_data.columns.empty() ? "" : "; of the test folder: ");
        ASSIGN_OR_RETURN(const auto files, textFilesOf(path));
        if (files.empty()) {
            return fail(ErrorCode::badFile,
                        "the folder holds no folder with text files; it needs one for each class");
        }
        for (const std::string& file : files) {
            ++m_row;
            ASSIGN_OR_RETURN(const auto bytes, bytesOf(file, m_job.stop));
            auto text = io::decodeText(bytes);
            if (text && !trimmed(*text).empty()) {
                const std::string folder = fs::path(file).parent_path().filename().string();
                m_data.documents.push_back({*std::move(text), m_classes.numberOf(folder),
                                            m_authors.numberOf(folder), split});
            } else {
                RETURN_IF_ERROR(addBadRow(split));
            }
            m_job.progress(m_row, files.size(), "Reading the data set");
        }
        return {};
    }

    Result<void> addRecord(const DataColumns& columns, Fields fields, Split split) {
        ++m_row;
        Document document{.split = split};
        if (!fill(document, columns, fields)) {
            return addBadRow(split);
        }
        m_data.documents.push_back(std::move(document));
        return {};
    }

    bool fill(Document& document, const DataColumns& columns, Fields fields) {
        if (fields.empty() || trimmed(fields[columns.textColumn->place]).empty()) {
            return false;
        }
        for (const auto& [column, names, target] :
             {std::tuple(&columns.labelColumn, &m_classes, &document.label),
              std::tuple(&columns.authorColumn, &m_authors, &document.author)}) {
            if (*column) {
                const std::string& name = fields[(*column)->place];
                if (trimmed(name).empty()) {
                    return false;
                }
                *target = names->numberOf(name);
            }
        }
        if (columns.splitColumn) {
            const auto split = splitOf(fields[columns.splitColumn->place]);
            if (!split) {
                return false;
            }
            document.split = *split;
        }
        document.text = fields[columns.textColumn->place];
        return true;
    }

    Result<void> addBadRow(Split split) {
        if (m_options.strict) {
            return fail(
                ErrorCode::badFile,
                fmt::format("row {} lacks a text or another column, or is malformed, and --strict "
                            "allows none",
                            m_row));
        }
        BadRows& first = split == Split::test ? m_data.firstBadTestRows : m_data.firstBadRows;
        if (first.size() < kRowsNamed) {
            first.push_back(m_row);
        }
        ++m_data.badRows;
        m_data.badTestRows += split == Split::test ? 1 : 0;
        return {};
    }

    /// A column that was taken for labels by its content alone may hold anything.
    Result<void> checkLabels() const {
        constexpr std::size_t kMostGuessed = 50;
        const std::size_t classes = m_data.classes.size();
        if (!m_data.labelColumn || !m_data.labelColumn->isByContent ||
            (classes <= kMostGuessed && classes <= (m_data.documents.size() + 1) / 2)) {
            return {};
        }
        return refuse(
            fmt::format("column {} was taken for the labels and has {} different values in {} "
                        "documents, {} rows left out: name the columns with --label-column and "
                        "--text-column",
                        m_data.labelColumn->name, formatCount(classes),
                        formatCount(m_data.documents.size()), formatCount(m_data.badRows)));
    }

    const DataSetOptions& m_options;
    const JobContext& m_job;
    DataSet m_data{};
    Names m_classes{};
    Names m_authors{};
    std::int64_t m_row = 0;  ///< of the present file, from 1
};

}  // namespace

bool DataSet::hasSplit() const {
    return std::ranges::count(documents, Split::training, &Document::split) > 0 &&
           std::ranges::count(documents, Split::test, &Document::split) > 0;
}

Result<DataSet> readDataSet(const DataSetOptions& options, const JobContext& job) {
    Collector collector(options, job);
    const bool hasTest = !options.testPath.empty();
    RETURN_IF_ERROR(collector.add(options.path, hasTest ? Split::training : Split::none));
    if (hasTest) {
        RETURN_IF_ERROR(collector.add(options.testPath, Split::test));
    }
    return collector.finish().map_error(inFile(options.path));
}

std::string classesText(const std::vector<std::string>& classes) {
    constexpr std::size_t kShown = 10;
    const auto end =
        classes.begin() + static_cast<std::ptrdiff_t>(std::min(classes.size(), kShown));
    return fmt::format("{}{}", fmt::join(classes.begin(), end, ", "),
                       classes.size() > kShown ? ", …" : "");
}

std::string rowsText(const BadRows& first, std::int64_t count) {
    return fmt::format("{}{}", fmt::join(first, ", "), count > std::ssize(first) ? ", …" : "");
}

Result<DataFingerprint> fingerprintOf(const DataSetOptions& options, const std::stop_token& stop) {
    DataFingerprint fingerprint;
    std::string list;
    int files = 0;
    for (const std::string& root : {options.path, options.testPath}) {
        std::error_code error;
        const bool isFolder = fs::is_directory(root, error);
        if (root.empty()) {
            continue;
        }
        if (!isFolder && !fs::is_regular_file(root, error)) {
            return fail(ErrorCode::badFile, fmt::format("{} is neither a file nor a folder", root));
        }
        std::vector<std::string> paths{root};
        if (isFolder) {
            ASSIGN_OR_RETURN(paths, textFilesOf(root));
        }
        for (const fs::path path : paths) {
            ASSIGN_OR_RETURN(const auto input, io::RawInput::open(path.string(), stop));
            ASSIGN_OR_RETURN(fingerprint.sha256, input->finish());
            fingerprint.bytes += input->bytesRead();
            const fs::path name = isFolder ? path.lexically_relative(root) : path.filename();
            list += fmt::format("{} {}\n", fingerprint.sha256, name.string());
            ++files;
        }
    }
    if (files != 1) {
        fingerprint.sha256 = io::sha256(list);
    }
    return fingerprint;
}

}  // namespace epsilens::corpus
