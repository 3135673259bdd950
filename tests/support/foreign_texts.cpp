#include "tests/support/foreign_texts.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace epsilens::test {
namespace {

constexpr const char* kEnglish = "My name is John Smith.\n";
constexpr const char* kRussian = "Меня зовут Иван Петров\n";
constexpr const char* kChinese = "我叫王小明，住在北京。\n";
constexpr const char* kHindi = "मेरा नाम राम है।\n";
constexpr const char* kJapanese = "私の名前は山田太郎です。東京に住んでいます。\n";
constexpr const char* kFrench = "Je suis né à Orléans, près de la rivière.\n";
constexpr const char* kGerman = "Grüße aus Zürich für Jürgen Müller.\n";

/// Code units with the least byte first.
template <typename Unit>
std::string littleEndian(std::basic_string_view<Unit> units) {
    std::string bytes;
    for (const Unit unit : units) {
        for (std::size_t byte = 0; byte < sizeof unit; ++byte) {
            bytes += static_cast<char>(static_cast<unsigned long>(unit) >> (8 * byte) & 0xFFU);
        }
    }
    return bytes;
}

template <typename Unit>
std::string bigEndian(std::basic_string_view<Unit> units) {
    std::string bytes = littleEndian(units);
    for (std::size_t begin = 0; begin < bytes.size(); begin += sizeof(Unit)) {
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
        std::reverse(first, first + sizeof(Unit));
    }
    return bytes;
}

}  // namespace

std::vector<ForeignText> foreignTexts() {
    using namespace std::string_view_literals;
    return {
        {"windows-1251",
         "\xCC\xE5\xED\xFF \xE7\xEE\xE2\xF3\xF2 \xC8\xE2\xE0\xED \xCF\xE5\xF2\xF0\xEE\xE2\n",
         kRussian},
        {"KOI8-R",
         "\xED\xC5\xCE\xD1 \xDA\xCF\xD7\xD5\xD4 \xE9\xD7\xC1\xCE \xF0\xC5\xD4\xD2\xCF\xD7\n",
         kRussian},
        {"GB18030",
         "\xCE\xD2\xBD\xD0\xCD\xF5\xD0\xA1\xC3\xF7\xA3\xAC\xD7\xA1\xD4\xDA\xB1\xB1\xBE\xA9\xA1"
         "\xA3\n",
         kChinese},
        {"Shift_JIS",
         "\x8E\x84\x82\xCC\x96\xBC\x91O\x82\xCD\x8ER\x93"
         "c\x91\xBE\x98Y\x82\xC5\x82\xB7\x81"
         "B\x93\x8C\x8B\x9E\x82\xC9\x8FZ\x82\xF1\x82\xC5\x82\xA2\x82\xDC\x82\xB7\x81"
         "B\n",
         kJapanese},
        {"ISO-8859-1",
         "Je suis n\xE9 \xE0 Orl\xE9"
         "ans, pr\xE8s de la rivi\xE8re.\n",
         kFrench},
        {"ISO-8859-1",
         "Gr\xFC\xDF"
         "e aus Z\xFCrich f\xFCr J\xFCrgen M\xFCller.\n",
         kGerman},
        {"ISO-2022-JP", "\x1B$B;d$NL>A0$O;3EDB@O:$G$9!#El5~$K=;$s$G$$$^$9!#\x1B(B\n", kJapanese,
         false},
        {"ISO-2022-KR", "\x1B$)C\x0E<-?o\x0F.\n", "서울.\n", false},
        {"UTF-16LE", littleEndian(u"My name is John Smith.\n"sv), kEnglish, false},
        {"UTF-16BE", bigEndian(u"My name is John Smith.\n"sv), kEnglish, false},
        {"UTF-16LE", littleEndian(u"Меня зовут Иван Петров\n"sv), kRussian, false},
        {"UTF-16BE", bigEndian(u"Меня зовут Иван Петров\n"sv), kRussian, false},
        {"UTF-16LE", littleEndian(u"我叫王小明，住在北京。\n"sv), kChinese, false},
        {"UTF-16LE", littleEndian(u"私の名前は山田太郎です。東京に住んでいます。\n"sv), kJapanese,
         false},
        {"UTF-16BE", bigEndian(u"मेरा नाम राम है।\n"sv), kHindi, false},
        {"UTF-16", littleEndian(u"\uFEFFMy name is John Smith.\n"sv), kEnglish},
        {"UTF-16", bigEndian(u"\uFEFFМеня зовут Иван Петров\n"sv), kRussian},
        {"UTF-32LE", littleEndian(U"My name is John Smith.\n"sv), kEnglish, false},
        {"UTF-32BE", bigEndian(U"我叫王小明，住在北京。\n"sv), kChinese, false},
        {"UTF-32", littleEndian(U"\uFEFFМеня зовут Иван Петров\n"sv), kRussian},
        {"UTF-32", bigEndian(U"\uFEFFMy name is John Smith.\n"sv), kEnglish},
    };
}

}  // namespace epsilens::test
