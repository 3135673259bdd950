#include "core/embedding/embedding.h"

namespace epsilens::embedding {

std::string_view formatName(FileFormat format) {
    switch (format) {
        case FileFormat::gloveText:
            return "glove-text";
        case FileFormat::word2vecText:
            return "word2vec-text";
        case FileFormat::word2vecBinary:
            return "word2vec-binary";
        case FileFormat::fasttextBinary:
            return "fasttext-binary";
        case FileFormat::builtIn:
            return "built-in";
    }
    return "";
}

void SkippedRows::add(std::int64_t position) {
    ++count;
    if (firstPositions.size() < kKeptPositions) {
        firstPositions.push_back(position);
    }
}

std::int64_t LoadReport::badLines() const {
    return wrongLength.count + notFinite.count + invalidText.count + emptyWords.count;
}

}  // namespace epsilens::embedding
