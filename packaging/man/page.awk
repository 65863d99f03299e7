# page.awk - prints the manual page, in roff, from commands.txt and from what the program says of
# keys and exit statuses (`tributary help keys --json`, `tributary help exit --json`).
# Backslashes and hyphens, which must stay ASCII, are escaped; backquotes mark code in the help.
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/`/, "", text)
    return (text ~ /^[.']/ ? "\\&" : "") text
}
function item(tag, argument, text) {
    return ".TP\n\\fB" roff(tag) "\\fR" (argument == "" ? "" : " \\fI" roff(argument) "\\fR") \
        "\n" roff(text) "\n"
}
function finish() {
    gsub(/[{]TRIB_GUTENBERG_MIRROR[}]/, mirror, help)
    if (flag != "") made[list, flag] = item(tag, argument, help)
    if (flag != "") flags[list] = flags[list] made[list, flag]
    if (command != "") {
        printf "%s", item(command, operands, help)
        if (of != "none") printf ".RS\n%s.RE\n", flags[of]
    }
    flag = command = help = ""
}
BEGIN {
    print ".TH TRIBUTARY 1 \"\" \"tributary " version "\"\n.SH NAME\ntributary \\- which earlier " \
        "texts flow into this one, how much, and through which passages\n.SH SYNOPSIS\n.B " \
        "tributary\n.I COMMAND\n.RI [ FLAG ]...\n.SH COMMANDS"
}
$0 == "{" { own = ++part } # the two files of JSON
$0 == "{" && part == 1 {
    finish()
    printf ".SH FLAGS OF EVERY COMMAND\n%s", flags["global"]
    print ".SH CONFIGURATION\nA configuration is YAML; every key can also be given as\n" \
        ".BR \\-\\-set \" KEY=VALUE\" ."
}
$0 == "{" && part == 2 { print ".SH EXIT STATUS" }
part == 1 && /^ "Presets/ { is_over = 1 }
is_over && part == 1 { next }
part && /^   "name": / { name = value(); choices = ""; next }
part && /^   "help": / {
    help = value()
    if (part == 2) printf "%s", item(name, "", help)
    next
}
part == 1 && /^   "default": / { standard = value(); next }
part == 1 && /^     "name": / { choices = choices (choices == "" ? ": " : "|") value(); next }
part == 1 && /^   "words"/ { printf "%s", item(name, "", help choices "; default " standard) }
part { next }
/^flags / { finish(); list = $2; next }
/^--/ && $2 == "like" {
    finish()
    made[list, $1] = made[$3, $1]
    flags[list] = flags[list] made[$3, $1]
    next
}
/^--/ {
    finish()
    flag = $1
    tag = $2 ~ /^-.$/ ? $2 ", " $1 : $1
    at = $2 ~ /^-.$/ ? 3 : 2
    argument = at < NF - 1 ? $at : ""
    next
}
/^command / {
    finish()
    sub(/^command /, "")
    gap = index($0, "  ")
    name = gap ? substr($0, 1, gap - 1) : $0
    operands = gap ? substr($0, gap + 2) : ""
    next
}
/^takes / {
    gsub(/,/, "")
    for (i = 1; i < NF; i++) if ($i == "flags") of = $(i + 1)
    next
}
{ command = name }
END {
    print ".SH EXAMPLE\n.nf\ntributary init\ntributary run experiment.yaml\n.fi"
}
