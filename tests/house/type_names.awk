# "NAMESPACE::NAME FILE:LINE" of each type that a file defines in a named namespace: clang-format puts such a definition at the start of a line,
# and members of types and functions behind blanks. Types of anonymous namespaces are a file's own business, and what is defined
# outside of its class (struct A::B) has a name of its own by that. Forward declarations define nothing.

FNR == 1 { depth = anonymous = 0 }

/^(inline )?namespace/ {
  is_anonymous[++depth] = /^namespace \{/
  anonymous += is_anonymous[depth]
  space[depth] = space[depth - 1] (is_anonymous[depth] ? "" : $(NF - 1) "::")
  next
}
/^\}  \/\/ (anonymous )?namespace/ {
  anonymous -= is_anonymous[depth--]
  next
}

# A head may go on in the next line; a declaration ends with this one, and has no braces.
anonymous == 0 && depth > 0 && /^(template <.*> )?(struct|class|union|enum|enum class|enum struct) (alignas\(.*\) )?[A-Za-z_]/ && !/^[^{]*;$/ {
  name = $0
  sub(/^template <.*> /, "", name)
  sub(/^(enum class|enum struct|enum|struct|class|union) /, "", name)
  sub(/^alignas\([^)]*\) /, "", name)
  rest = name
  sub(/[^A-Za-z0-9_].*/, "", name)
  rest = substr(rest, length(name) + 1)
  # A specialisation is of the same template.
  if (rest !~ /^(::|<)/) print space[depth] name, FILENAME ":" FNR
}
