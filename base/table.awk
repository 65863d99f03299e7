# table.awk - what the tables of plain text have in common, given to awk before the program that
# makes C of one: "#" begins a comment; a line that begins with "| " goes on with the line before it
# (`head`); lines that begin with four blanks are the help below it (`help`), unless the program
# sets `own`.
# A text as a literal of C. {TRIB_NAME} in it is a constant of C.
function literal(text,    made, i, c) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        made = made (c == "\\" || c == "\"" ? "\\" c : c)
    }
    text = made
    while (match(text, /[{]TRIB_[A-Z_]+[}]/))
        text = substr(text, 1, RSTART - 1) "\" " substr(text, RSTART + 1, RLENGTH - 2) " \"" \
            substr(text, RSTART + RLENGTH)
    return "\"" text "\""
}
# The value of a line of JSON such as "help": "words",
function value() {
    sub(/^[^:]*: "/, "")
    sub(/",?$/, "")
    gsub(/\\"/, "\"")
    gsub(/\\\\/, "\\")
    return $0
}
/^#/ || /^$/ { next }
!own && /^    / {
    sub(/^ +/, "")
    help = help (help == "" ? "" : " ") $0
    next
}
!own && /^[|] / { head = head " " $0; next }
