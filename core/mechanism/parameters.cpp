#include "core/mechanism/parameters.h"

#include "core/base/enum_names.h"

namespace epsilens::mechanism {
namespace {

constexpr EnumNames<RadialLaw, 2> kRadialLaws{
    {{"riemannian", RadialLaw::riemannian}, {"eq7", RadialLaw::eq7}}};

}  // namespace

std::string_view radialLawName(RadialLaw law) {
    return nameIn(kRadialLaws, law);
}

Result<RadialLaw> parseRadialLaw(std::string_view name) {
    return valueIn(kRadialLaws, name);
}

}  // namespace epsilens::mechanism
