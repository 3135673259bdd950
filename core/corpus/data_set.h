#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/io/record_reader.h"

namespace epsilens::corpus {

/// Stands for a label, author or split that a document does not have.
inline constexpr std::int32_t kNone = -1;

/// The part of a data set that a document belongs to.
enum class Split { none, training, test };

struct Document {
    std::string text{};           ///< UTF-8, never blank
    std::int32_t label = kNone;   ///< index into DataSet::classes
    std::int32_t author = kNone;  ///< index into DataSet::authors
    Split split = Split::none;
    std::int32_t twin = 0;  ///< the first document with the same text; itself, as a rule
};

/// Where a column of a data set was found.
struct Column {
    std::string name{};        ///< in the header line; or its number from 1, where there is none
    bool isGuessed = false;    ///< from names or content
    bool isByContent = false;  ///< guessed from content
    std::size_t place = 0;     ///< in the records
};

/// Numbers of the first rows that could not be used, from 1, a header not counted.
using BadRows = std::vector<std::int64_t>;
inline constexpr std::size_t kRowsNamed = 10;
/// "2, 3, 7": the numbers, and "…" where there are more.
[[nodiscard]] std::string rowsText(const BadRows& first, std::int64_t count);

/// "ham, spam": the first ten names, and "…" where there are more.
[[nodiscard]] std::string classesText(const std::vector<std::string>& classes);

/// What reading a data set found, beside its documents.
struct DataFacts {
    std::string file{};                  ///< name without folders
    std::string columns{};               ///< of each file, for people: "text: column message; …"
    std::vector<std::string> classes{};  ///< sorted; empty without labels
    /// Without text, label, author or split though there is a column, or bad for RecordReader.
    std::int64_t badRows = 0;
    BadRows firstBadRows{};        ///< of the first file
    std::int64_t badTestRows = 0;  ///< of badRows, those of the test file
    BadRows firstBadTestRows{};    ///< of the test file
    std::int64_t duplicates = 0;   ///< documents whose text came before
};

struct DataColumns {
    std::optional<Column> textColumn{};  ///< nothing: a folder for each class
    std::optional<Column> labelColumn{};
    std::optional<Column> authorColumn{};
    std::optional<Column> splitColumn{};
};

/// Labelled documents.
struct DataSet : DataFacts, DataColumns {
    std::vector<Document> documents{};
    std::vector<std::string> authors{};  ///< sorted; empty without authors

    [[nodiscard]] bool hasSplit() const;
};

struct DataSetOptions {
    /// A file, plain or compressed: CSV, TSV, JSON Lines, or "label TAB text" without a header. Or
    /// a folder that holds a folder for each class (or author) with a text file for each document.
    std::string path{};
    std::string testPath{};  ///< more documents, of the test part; empty: none
    /// Names in the header line, or numbers from 1; empty: guessed.
    std::string textColumn{};
    std::string labelColumn{};
    std::string authorColumn{};
    std::string splitColumn{};
    io::RecordFormat format = io::RecordFormat::automatic;
    bool strict = false;  ///< the first row that cannot be used is an error
};

/// Reads a data set.
///
/// A column that is not named is guessed. By its name, where the first record has one of the usual
/// ones (text, message, label, target, author, split and the like). Otherwise by its content: the
/// text is the column with the longest fields, the label the one with the fewest different ones.
/// Authors and splits are never guessed by content, and a column whose fields name no parts is no
/// split. The first record holds names where it has a usual one or one that was
/// asked for, and where a column below it repeats a few labels and its own field is none of them.
/// Hidden files and folders of a folder do not count. With --test all documents of the first file
/// are training documents. The folder names of a folder are both label and author.
///
/// Fails with badFile if there is no document with a text, for what is no such file, and where two
/// files disagree; with invalidArgument for a column that is not there, and for labels guessed
/// by content that are more than 50 or nearly as many as documents; and with cancelled.
[[nodiscard]] Result<DataSet> readDataSet(const DataSetOptions& options,
                                          const JobContext& job = {});

/// The bytes of a data set, to tell whether it is still the same.
struct DataFingerprint {
    std::uint64_t bytes = 0;  ///< of all its files, as stored
    /// SHA-256 of its file; of a folder or two files, that of a list of their SHA-256 and names,
    /// without the folders above.
    std::string sha256{};

    [[nodiscard]] bool operator==(const DataFingerprint&) const = default;
};

/// Reads all files of a data set. Fails with badFile for one that cannot be read or is no regular
/// file, and with cancelled.
[[nodiscard]] Result<DataFingerprint> fingerprintOf(const DataSetOptions& options,
                                                    const std::stop_token& stop = {});

}  // namespace epsilens::corpus
