#pragma once

#include <optional>

#include <QString>
#include <QStringList>

#include "core/calibration/options.h"
#include "core/calibration/provenance.h"

namespace epsilens::ui {

/// What a calibration is made from, beside its options.
struct CommandSource {
    QString path{};        ///< of the file, or the name of a built-in embedding
    qint64 firstRows = 0;  ///< 0: all
    /// Of words from a file, or by their distances.
    std::optional<calibration::SelectionDescription> selection{};
};

/// A command of the command line, and what it cannot say.
struct CommandLine {
    QStringList arguments{};  ///< program first
    QString remark{};         ///< something to be done before it runs; may be empty

    /// As a shell of Unix reads it.
    [[nodiscard]] QString text() const;
};

/// The `epsilens-cli calibrate` that gives the same numbers. Words chosen one by one have no
/// option: the command names a file for them, and the remark says so; as it says of a file whose
/// folder is not known here.
[[nodiscard]] CommandLine calibrateCommand(const calibration::CalibrationOptions& options,
                                           const CommandSource& source);

}  // namespace epsilens::ui
