#pragma once

#include <QList>
#include <QString>

#include "core/embedding/prepared_embedding.h"

namespace epsilens::ui {

/// One line of what loading found out.
struct SummaryRow {
    QString label;
    QString value;
    QString detail{};        ///< longer, for the tooltip; may be empty
    bool needsCare = false;  ///< something was left out
};

/// Rows in the order shown: size, format, duplicates, bad lines, rows of outlying norm.
[[nodiscard]] QList<SummaryRow> loadSummary(const embedding::PreparedEmbedding& embedding);

/// "glove.txt 400,000 × 300".
[[nodiscard]] QString embeddingTitle(const embedding::PreparedEmbedding& embedding);

}  // namespace epsilens::ui
