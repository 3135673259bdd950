#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/corpus/data_fingerprint.h"
#include "core/corpus/data_set.h"
#include "core/document/json_document.h"
#include "core/document/json_parts.h"
#include "core/embedding/load.h"
#include "core/evaluation/evaluation.h"

namespace epsilens::document {

/// The data set of an evaluation, and how to find it again.
struct KeptData {
    corpus::DataSetOptions options{};  ///< paths absolute
    std::string relativePath{};        ///< from the folder of a session; empty: not known
    corpus::DataFingerprint fingerprint{};
};

/// Whether two data sets hold the same bytes and are read in the same way; where they lie is of no
/// matter. False where their bytes are not known.
[[nodiscard]] bool isSameData(const KeptData& first, const KeptData& second);

/// Where a file or folder of a document lies: where it was, or beside the document, whichever is
/// there first; else where it was.
[[nodiscard]] std::string placeOf(const std::string& path, const std::string& documentPath);
/// The same for a data set, which is looked for at its relative path first.
[[nodiscard]] std::string dataPlace(const KeptData& data, const std::string& documentPath);

/// A list of words or a text that an evaluation read beside its data set.
struct InputFile {
    std::string path{};  ///< absolute; empty: none was read
    std::string sha256{};
};

/// The file of an absolute or relative path, which may be empty. Fails as io::RawInput.
[[nodiscard]] Result<InputFile> inputFile(const std::string& path,
                                          const std::stop_token& stop = {});

/// All that an evaluation was asked for: enough to do it again.
struct EvaluationRequest {
    embedding::LoadOptions load{};  ///< paths absolute
    KeptData data{};
    /// Without threads and without the words of the files below; all values of the grid are there.
    evaluation::EvaluationOptions options{};
    InputFile stopWords{};
    InputFile onlyWords{};
    InputFile prior{};  ///< of PriorKind::file
};

/// The fields of these structs, to a FieldWriter or from a FieldReader.
template <typename Fields, typename Data>
void describeData(Fields& json, Data& data);
template <typename Fields, typename Options>
void describeEvaluationOptions(Fields& json, Options& options);

/// As the member "repeat" of an evaluation.
[[nodiscard]] nlohmann::ordered_json jsonRequest(const EvaluationRequest& request);

/// That member of an evaluation; nothing where it is null or missing. Problems are recorded in the
/// document.
[[nodiscard]] std::optional<EvaluationRequest> readRequest(const JsonNode& evaluation);

}  // namespace epsilens::document
