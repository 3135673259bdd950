#pragma once

#include "core/base/error.h"
