# Libraries: which of very many texts hold a passage.

tributary_library <- function(path) {
    if (!file.exists(file.path(path, "MANIFEST")))
        fail(4, path, ": no library is here; `tributary index add ", path, " TEXT...` makes one")
    structure(list(path = normalizePath(path)), class = "trib_library")
}

find <- function(x, ...) UseMethod("find")
find.default <- function(x, ...) utils::find(x, ...)
find.trib_library <- function(x, passage, ...) {
    if (!is.character(passage) || length(passage) != 1)
        fail(2, "a passage is one text, such as find(library, \"the light at dusk\")")
    file <- tempfile("passage-")
    on.exit(unlink(file))
    writeLines(enc2utf8(passage), file, useBytes = TRUE)
    found <- parse_json(paste(call_program(c("find", "--json", "--top", "65536", "--", x$path,
                                             file)), collapse = "\n"))$found
    texts <- c("id", "title", "author", "date", "file", "text", "reference")
    numbers <- c("line", "equal", "first", "last", "words", "family")
    column <- function(name, kind) vapply(found, function(place) kind(place[[name]]), kind(0))
    as_table(as.data.frame(c(sapply(texts, column, as.character, simplify = FALSE),
                             sapply(numbers, column, as.integer, simplify = FALSE)),
                           stringsAsFactors = FALSE))
}
