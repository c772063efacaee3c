#!/usr/bin/env bash
# No two files define types of the same name in a named namespace. A program that links both would destroy objects of one type
# with the other's functions, and no linker reports this.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without git
cd "$PSSP_SOURCE_DIR"

# twice FILE...: prints "NAME: PLACE PLACE.." for names that more than one file defines.
twice() {
  awk -f tests/house/type_names.awk "$@" | sort -u | awk '
    { file = $2; sub(/:.*/, "", file) }
    !(($1, file) in seen) { seen[$1, file] = 1; ++files[$1] }
    { found[$1] = found[$1] " " $2 }
    END { for (name in files) if (files[name] > 1) print name ":" found[name] }' | sort
}

# What the check detects, and what it ignores.
cat >"$scratch/one.h" <<'END'
namespace pssp {
struct Same;
class Declared;
enum class Alike : std::uint8_t { a, b };
struct Same {
  struct Inner {
  };
};
namespace {
struct Own {
};
}  // namespace
template <class T> class Pattern {
};
}  // namespace pssp
END
cat >"$scratch/two.cpp" <<'END'
namespace pssp {
namespace {
struct Own {
};
struct Declared {
};
}  // namespace
class Same final
    : public Base {
};
struct Other::Inner {
};
enum class Alike : std::uint8_t { c };
struct Inner {
};
template <class T> class Pattern {
};
}  // namespace pssp
namespace pssp::other {
enum class Alike : std::uint8_t { d };
}  // namespace pssp::other
struct Outside {
};
END
expect_equal 'names of the example' "$(twice "$scratch/one.h" "$scratch/two.cpp" | sed 's/: .*//' | xargs)" 'pssp::Alike pssp::Pattern pssp::Same'

mapfile -t sources < <(git ls-files '*.h' '*.cpp')
((${#sources[@]} > 500)) || skip 'the sources are not a git clone'
found=$(twice "${sources[@]}")
[[ -z $found ]] || fail "several types with the same name in a namespace; rename all but one:"$'\n'"$found"
