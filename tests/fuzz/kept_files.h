#pragma once

#include <string_view>

namespace epsilens::fuzz {

/// Each reads the bytes as one kind of file that Epsilens keeps and checks what every reader
/// promises: an error with a sentence, or content that is written and read back as the same, so
/// that what was opened can be saved. Reports are also composed and written for people.
void checkSession(std::string_view input);
void checkReport(std::string_view input);
void checkCalibration(std::string_view input);
/// As the option --from and verify read a file of any kind.
void checkKeptDocument(std::string_view input);

}  // namespace epsilens::fuzz
