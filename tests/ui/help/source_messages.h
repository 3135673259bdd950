#pragma once

#include <QString>
#include <QStringList>

namespace epsilens::test {

/// A source file of the program with literals that are written in several parts put together;
/// empty when it cannot be read.
[[nodiscard]] QString sourceText(const QString& path);

/// What the sources of a folder say to whoever uses the program: the texts of errors and notices,
/// also where a function of the file makes them, a constant holds them or one of several is chosen,
/// and what hinders a computation. Values are still place holders in them, as {} and %1.
[[nodiscard]] QStringList messagesOfSources(const QString& folder);

}  // namespace epsilens::test
