# commands.awk - prints the tables of C that commands.txt describes.
# Ends the row that was begun, with its help.
function finish() {
    if (flag != "") row[list, flag] = row[list, flag] ", " literal(help) "},"
    if (flag != "") flags = flags row[list, flag] "\n"
    if (command != "") commands = commands command ", " literal(help) ", " calls "},\n"
    flag = command = help = ""
}
function begin_list(name) {
    if (list != "") flags = flags "{0}};\n"
    list = name
    if (list != "") flags = flags "static const trib_flag " list "_flags[] = {\n"
}
/^flags / { finish(); begin_list($2); next }
/^--/ && $2 == "like" { finish(); flags = flags row[$3, $1] "\n"; next }
/^--/ {
    finish()
    flag = $1
    kind = toupper($(NF - 1))
    letter = $2 ~ /^-.$/ ? "'" substr($2, 2) "'" : "0"
    at = letter == "0" ? 2 : 3
    argument = at < NF - 1 ? literal($at) : "NULL"
    field = $NF == "-" ? "0" : "offsetof(trib_command_line, " $NF ")"
    row[list, flag] = "{" literal(flag) ", " letter ", " argument ", TRIB_FLAG_" kind ", " field
    next
}
/^command / {
    finish()
    begin_list("")
    sub(/^command /, "")
    gap = index($0, "  ")
    name = gap ? substr($0, 1, gap - 1) : $0
    operands = gap ? substr($0, gap + 2) : ""
    next
}
/^takes / {
    gsub(/,/, "")
    least = most = $2
    if ($3 == "or") most = "SIZE_MAX"
    if ($3 == "to") most = $4
    for (i = 3; i < NF; i++) {
        if ($i == "flags") of = $(i + 1) == "none" ? "NULL" : $(i + 1) "_flags"
        if ($i == "calls") break
    }
    calls = of ", trib_command_" $(i + 1) ", " (i + 1 < NF ? "trib_tensor_do_" $NF : "NULL")
    next
}
{ command = "{" literal(name) ", " literal(operands) ", " least ", " most ", " literal($0) }
END {
    finish()
    print "#include \"pipeline/program/fetch.h\""
    print "#include \"pipeline/program/tools.h\""
    printf "%s", flags
    print "static const trib_command commands[] = {"
    printf "%s", commands
    print "{0}};"
    print "const trib_command_table trib_commands = {commands, global_flags};"
}
