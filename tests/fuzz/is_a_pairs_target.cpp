#include "core/training/is_a_pairs.h"

#include <set>
#include <utility>

#include "core/io/utf8.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/memory_file.h"

using epsilens::fuzz::require;
namespace training = epsilens::training;

EPSILENS_FUZZ_TARGET(is_a_pairs) {
    const epsilens::fuzz::MemoryFile file(input);
    const auto list =
        training::readIsAPairs({file.path(), input.size() % 5 == 0, std::uint64_t{256} << 20});
    if (!list) {
        require(list.error().file == file.path(), "a failure names the file");
        return;
    }
    std::set<std::pair<training::Row, training::Row>> seen;
    for (const training::IsAPair& pair : list->pairs) {
        require(pair.child != pair.parent, "no node is its own parent");
        require(seen.emplace(pair.child, pair.parent).second, "no pair is there twice");
        for (const training::Row row : {pair.child, pair.parent}) {
            const std::string_view name = list->nodes.word(row);
            require(!name.empty() && name.size() <= training::kLongestName, "names have a length");
            require(epsilens::io::isValidUtf8(name), "names are UTF-8");
            require(name.find_first_of(" \t\n") == std::string_view::npos, "names have no blanks");
        }
    }
}
