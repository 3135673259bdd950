#include "core/corpus/data_set.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/corpus/column_choice.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"

namespace epsilens::corpus {
namespace {

namespace fs = std::filesystem;

// Records that columns are guessed from.
constexpr std::size_t kRecordsLookedAt = 1000;

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

Result<std::string> readAll(io::ByteSource& source) {
    constexpr std::size_t kPiece = std::size_t{64} << 10;
    std::string bytes;
    while (bytes.size() < io::RecordScanner::kLongestRecord) {
        const std::size_t before = bytes.size();
        bytes.resize(before + kPiece);
        ASSIGN_OR_RETURN(const auto size, source.read(bytes.data() + before, kPiece));
        bytes.resize(before + size);
        if (size < kPiece) {
            return bytes;
        }
    }
    return fail(ErrorCode::badFile, fmt::format("the file holds more than {} MiB",
                                                io::RecordScanner::kLongestRecord >> 20));
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
    /// strict  the first bad row is an error
    Collector(bool strict, const JobContext& job) : m_isStrict(strict), m_job(job) {}

    Result<void> addFile(const DataSetOptions& options, const std::string& path, Split split) {
        m_row = 0;
        ASSIGN_OR_RETURN(auto reader,
                         io::RecordReader::openFields({path, {}, options.format}, m_job.stop));
        if (reader.format() == io::RecordFormat::lines) {
            return fail(
                ErrorCode::invalidArgument,
                "a data set with a record a line has no labels; use csv, tsv, tsv-quoted or jsonl");
        }
        std::vector<std::vector<std::string>> first;
        std::optional<ColumnChoice> columns;
        // The first records choose the columns, and are then read as the others.
        for (bool isThere = true; isThere;) {
            ASSIGN_OR_RETURN(const auto fields, reader.nextFields());
            isThere = fields.has_value();
            if (isThere && columns) {
                RETURN_IF_ERROR(addRecord(*columns, *fields, split));
            } else if (isThere) {
                first.emplace_back(fields->begin(), fields->end());
            }
            if (!columns && (first.size() == kRecordsLookedAt || !isThere)) {
                if (first.empty()) {
                    return fail(ErrorCode::badFile, "the data set has no records");
                }
                ASSIGN_OR_RETURN(
                    columns,
                    chooseColumns(first, reader.format() == io::RecordFormat::jsonLines, options));
                for (std::size_t i = columns->hasHeader ? 1 : 0; i < first.size(); ++i) {
                    RETURN_IF_ERROR(addRecord(*columns, first[i], split));
                }
            }
            RETURN_IF_ERROR(checkStop());
            m_job.progress(reader.fractionRead(), "Reading the data set");
        }
        if (split == Split::test) {
            data.columns += "; of the test file: " + columnsText(*columns);
            if (columns->label.has_value() != data.labelColumn.has_value()) {
                return fail(ErrorCode::badFile,
                            "one of the two files has a label column, the other has none");
            }
            return {};
        }
        data.columns = columnsText(*columns);
        data.noLabels = columns->noLabels;
        data.textColumn = columns->text;
        data.labelColumn = columns->label;
        data.authorColumn = columns->author;
        data.splitColumn = columns->split;
        return {};
    }

    Result<void> addFolder(const std::string& path, Split split) {
        m_row = 0;
        data.columns += fmt::format("{}a text file for each document, a folder for each class",
                                    data.columns.empty() ? "" : "; of the test folder: ");
        ASSIGN_OR_RETURN(const auto files, textFilesOf(path));
        if (files.empty()) {
            return fail(ErrorCode::badFile,
                        "the folder holds no folder with text files; it needs one for each class");
        }
        for (const std::string& file : files) {
            RETURN_IF_ERROR(checkStop());
            ++m_row;
            ASSIGN_OR_RETURN(const auto source, io::ByteSource::open(file, m_job.stop));
            ASSIGN_OR_RETURN(const auto bytes, readAll(*source));
            auto text = io::decodeText(bytes);
            if (text && !isBlank(*text)) {
                const std::string folder = fs::path(file).parent_path().filename().string();
                data.documents.push_back({*std::move(text), m_classes.numberOf(folder),
                                          m_authors.numberOf(folder), split});
            } else {
                RETURN_IF_ERROR(addBadRow(split));
            }
            m_job.progress(static_cast<double>(m_row) / static_cast<double>(files.size()),
                           "Reading the data set");
        }
        return {};
    }

    Result<DataSet> finish() {
        if (data.documents.empty()) {
            return fail(
                ErrorCode::badFile,
                "the data set has no document with a text and all that its columns should hold");
        }
        const std::vector<std::int32_t> labels = m_classes.sort(data.classes);
        const std::vector<std::int32_t> authors = m_authors.sort(data.authors);
        std::unordered_map<std::string_view, std::int32_t> firsts;
        for (std::size_t i = 0; i < data.documents.size(); ++i) {
            Document& document = data.documents[i];
            if (document.label != kNone) {
                document.label = labels[static_cast<std::size_t>(document.label)];
            }
            if (document.author != kNone) {
                document.author = authors[static_cast<std::size_t>(document.author)];
            }
            const auto [found, isNew] =
                firsts.try_emplace(document.text, static_cast<std::int32_t>(i));
            document.twin = found->second;
            data.duplicates += isNew ? 0 : 1;
        }
        RETURN_IF_ERROR(checkLabels());
        return std::move(data);
    }

    DataSet data{};

private:
    Result<void> checkStop() const {
        return m_job.stopRequested() ? Result<void>(fail(ErrorCode::cancelled, "cancelled"))
                                     : Result<void>();
    }

    Result<void> addRecord(const ColumnChoice& columns, std::span<const std::string> fields,
                           Split split) {
        ++m_row;
        Document document;
        document.split = split;
        if (!fill(document, columns, fields)) {
            return addBadRow(split);
        }
        data.documents.push_back(std::move(document));
        return {};
    }

    bool fill(Document& document, const ColumnChoice& columns,
              std::span<const std::string> fields) {
        if (fields.empty() || isBlank(fields[columns.text.place])) {
            return false;
        }
        for (const auto& [column, names, target] :
             {std::tuple(&columns.label, &m_classes, &document.label),
              std::tuple(&columns.author, &m_authors, &document.author)}) {
            if (*column) {
                const std::string& name = fields[(*column)->place];
                if (isBlank(name)) {
                    return false;
                }
                *target = names->numberOf(name);
            }
        }
        if (columns.split) {
            const auto split = splitOf(fields[columns.split->place]);
            if (!split) {
                return false;
            }
            document.split = *split;
        }
        document.text = fields[columns.text.place];
        return true;
    }

    Result<void> addBadRow(Split split) {
        if (m_isStrict) {
            return fail(
                ErrorCode::badFile,
                fmt::format("row {} lacks a text or another column, or is malformed, and --strict "
                            "allows none",
                            m_row));
        }
        BadRows& first = split == Split::test ? data.firstBadTestRows : data.firstBadRows;
        if (first.size() < kRowsNamed) {
            first.push_back(m_row);
        }
        ++data.badRows;
        data.badTestRows += split == Split::test ? 1 : 0;
        return {};
    }

    /// A column that was taken for labels by its content alone may hold anything.
    [[nodiscard]] Result<void> checkLabels() const {
        constexpr std::size_t kMostGuessed = 50;
        const std::size_t classes = data.classes.size();
        if (!data.labelColumn || !data.labelColumn->isByContent ||
            (classes <= kMostGuessed && classes <= (data.documents.size() + 1) / 2)) {
            return {};
        }
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("column {} was taken for the labels and has {} different values in {} "
                        "documents, {} rows left out: name the columns with --label-column and "
                        "--text-column",
                        data.labelColumn->name, formatCount(static_cast<std::int64_t>(classes)),
                        formatCount(static_cast<std::int64_t>(data.documents.size())),
                        formatCount(data.badRows)));
    }

    bool m_isStrict;
    const JobContext& m_job;
    Names m_classes{};
    Names m_authors{};
    std::int64_t m_row = 0;  ///< of the present file, from 1
};

}  // namespace

Result<std::vector<std::string>> textFilesOf(const std::string& folder) {
    std::set<fs::path> files;
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(folder, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const bool isHidden = entry->path().filename().string().starts_with('.');
        if (entry.depth() > 1 || isHidden) {
            entry.disable_recursion_pending();
        }
        if (entry.depth() == 1 && !isHidden && entry->is_regular_file()) {
            files.insert(entry->path());
        }
    }
    if (error) {
        return fail(ErrorCode::badFile,
                    fmt::format("the folder cannot be read: {}", error.message()));
    }
    return std::vector<std::string>(files.begin(), files.end());
}

bool DataSet::hasSplit() const {
    const auto has = [&](Split split) {
        return std::ranges::any_of(
            documents, [&](const Document& document) { return document.split == split; });
    };
    return has(Split::training) && has(Split::test);
}

Result<DataSet> readDataSet(const DataSetOptions& options, const JobContext& job) {
    Collector collector(options.strict, job);
    const auto add = [&](const std::string& path, Split split) {
        std::error_code error;
        auto added = fs::is_directory(path, error) ? collector.addFolder(path, split)
                                                   : collector.addFile(options, path, split);
        return std::move(added).map_error(
            [&](Error failure) { return inFile(std::move(failure), path); });
    };
    const bool hasTest = !options.testPath.empty();
    RETURN_IF_ERROR(add(options.path, hasTest ? Split::training : Split::none));
    if (hasTest) {
        RETURN_IF_ERROR(add(options.testPath, Split::test));
    }
    collector.data.file = fs::path(options.path).filename().string();
    return collector.finish().map_error(
        [&](Error error) { return inFile(std::move(error), options.path); });
}

std::string classesText(const std::vector<std::string>& classes) {
    constexpr std::size_t kShown = 10;
    const auto end =
        classes.begin() + static_cast<std::ptrdiff_t>(std::min(classes.size(), kShown));
    return fmt::format("{}{}", fmt::join(classes.begin(), end, ", "),
                       classes.size() > kShown ? ", …" : "");
}

std::string rowsText(const BadRows& first, std::int64_t count) {
    return fmt::format("{}{}", fmt::join(first, ", "),
                       count > static_cast<std::int64_t>(first.size()) ? ", …" : "");
}

}  // namespace epsilens::corpus
