# Prints "NAMESPACE::NAME FILE:LINE" for each type that a file defines in a named namespace: clang-format puts such a definition at the start
# of a line, and indents members of types and functions. Types in anonymous namespaces cannot collide, and a type that is defined outside its
# class (struct A::B) has the class in its name. Forward declarations define nothing.

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

# The head of a definition may continue in the next line; a declaration ends in this line and has no braces.
anonymous == 0 && depth > 0 && /^(template <.*> )?(struct|class|union|enum|enum class|enum struct) (alignas\(.*\) )?[A-Za-z_]/ && !/^[^{]*;$/ {
  name = $0
  sub(/^template <.*> /, "", name)
  sub(/^(enum class|enum struct|enum|struct|class|union) /, "", name)
  sub(/^alignas\([^)]*\) /, "", name)
  rest = name
  sub(/[^A-Za-z0-9_].*/, "", name)
  rest = substr(rest, length(name) + 1)
  # A specialization belongs to the same template.
  if (rest !~ /^(::|<)/) print space[depth] name, FILENAME ":" FNR
}
