# Texts in memory as documents of an experiment.

fields <- c("title", "author", "date", "role", "language", "reference")

# An id for every name: its letters and digits, of any script, '_', '.' and '-'.
ids_of <- function(names) {
    stems <- gsub("[^\\p{L}\\p{M}\\p{N}_.-]+", "-", enc2utf8(names), perl = TRUE)
    # a mark does not stand without its letter
    stems <- gsub("^[-.\\p{M}]+|[-.]+$", "", stems, perl = TRUE)
    long <- nchar(stems, "bytes") > 180
    stems[long] <- substr(stems[long], 1, 45)
    stems[!nzchar(stems)] <- "text"
    taken <- c("author", "formula", "all")
    for (i in seq_along(stems)) {
        id <- stems[i]
        number <- 1
        while (id %in% taken) {
            number <- number + 1
            id <- paste0(stems[i], "-", number)
        }
        taken <- c(taken, id)
    }
    taken[-(1:3)]
}

numbered <- function(n)
    sprintf("text-%0*d", max(2L, nchar(as.character(n))), seq_len(n))

# Dates as the program reads them; NA where there is none.
dates_of <- function(values) {
    if (inherits(values, c("Date", "POSIXt")))
        return(format(values, "%Y-%m-%d"))
    if (is.numeric(values))
        return(ifelse(is.na(values), NA,
                      sprintf("%s%04d", ifelse(values < 0, "-", ""), abs(as.integer(values)))))
    as.character(values)
}

# The columns `roles` (a name for each field) of a data frame as fields of documents.
fields_of <- function(frame, roles) {
    found <- list()
    for (field in names(roles)) {
        column <- roles[[field]]
        if (column %in% names(frame))
            found[[field]] <- if (field == "date") dates_of(frame[[column]])
                else as.character(frame[[column]])
        else if (column != field)
            fail(3, "there is no column ", quoted(column), " with the ", field, "; there are ",
                 paste(names(frame), collapse = ", "))
    }
    as.data.frame(found, stringsAsFactors = FALSE)
}

# The documents: a data frame with id, name, text or file, and fields where they are known.
documents_of <- function(texts, text, roles) {
    if (is.factor(texts))
        texts <- setNames(as.character(texts), names(texts))
    if (inherits(texts, "dfm"))
        fail(3, "a dfm has no order of words, and passages need it; give its tokens. ",
             "trib_tensor() takes a dfm")
    if (inherits(texts, "tokens_xptr"))
        fail(3, "give as.tokens() of a tokens_xptr")
    if (inherits(texts, "tokens"))
        of_corpus(words_of_tokens(texts), roles)
    else if (inherits(texts, "corpus") && is.character(texts))
        of_corpus(texts, roles)
    else if (is.data.frame(texts))
        of_frame(texts, text, roles)
    else if (is.character(texts) || is.list(texts))
        of_vector(texts, roles)
    else
        fail(3, "texts are a character vector, a list, a data frame, a corpus, or a path; this is ",
             "of class ", class(texts)[1])
}

# Tokens of quanteda, a list of numbers of their types (0 is none), as a corpus.
words_of_tokens <- function(texts) {
    types <- attr(texts, "types")
    contents <- vapply(unclass(texts), function(words)
        paste(if (is.character(words)) words else types[words], collapse = " "), "")
    structure(contents, names = names(texts), docvars = attr(texts, "docvars"))
}

# A corpus of quanteda from version 2 on: a character vector with names and the attribute docvars.
of_corpus <- function(texts, roles) {
    vars <- attr(texts, "docvars")
    names <- if (!is.null(names(texts))) names(texts) else as.character(vars$docname_)
    contents <- as.vector(unclass(texts))
    attributes(contents) <- NULL
    if (length(names) != length(contents))
        names <- numbered(length(contents))
    more <- if (is.null(vars)) data.frame(row.names = seq_along(contents)) else as.data.frame(vars)
    assemble(names, contents, FALSE, fields_of(more[setdiff(names(more), c("docname_", "docid_",
                                                                          "segid_"))], roles))
}

of_frame <- function(texts, text, roles) {
    texts <- as.data.frame(texts, stringsAsFactors = FALSE)
    is_file <- text == "text" && !"text" %in% names(texts) && "file" %in% names(texts)
    column <- if (is_file) "file" else text
    if (!column %in% names(texts))
        fail(3, "the data frame has no column ", quoted(text), " with the texts; name it with ",
             "text =; there are ", paste(names(texts), collapse = ", "))
    automatic <- .row_names_info(texts) <= 0
    names <- if ("id" %in% names(texts)) texts$id
        else if ("doc_id" %in% names(texts)) texts$doc_id  # readtext, tm
        else if (!automatic) rownames(texts)
        else if (is_file) stems_of(texts$file)
        else numbered(nrow(texts))
    known <- fields_of(texts[setdiff(names(texts), column)], roles)
    assemble(as.character(names), as.character(texts[[column]]), is_file, known)
}

of_vector <- function(texts, roles) {
    changed <- names(roles)[roles != names(roles)]
    if (length(changed))
        fail(3, "only a data frame or a corpus has columns; this is a ", class(texts)[1], " and ",
             changed[1], " = names one")
    for (i in which(!vapply(texts, is.character, NA)))
        fail(3, "text ", i, " is of class ", class(texts[[i]])[1], "; a text is a character vector")
    contents <- vapply(texts, function(lines)
        if (anyNA(lines)) NA_character_ else paste(lines, collapse = "\n"), "", USE.NAMES = FALSE)
    is_file <- are_files(contents)
    names <- if (is_file) stems_of(contents) else numbered(length(contents))
    if (!is.null(names(texts)))
        names <- ifelse(is.na(names(texts)) | !nzchar(names(texts)), names, names(texts))
    assemble(names, contents, is_file, NULL)
}

# Whether texts are the paths of files. Paths of which one leads nowhere are an error.
are_files <- function(contents) {
    # file.exists() fails on what is too long for a path
    if (!length(contents) || anyNA(contents) || any(nchar(contents, "bytes") >= 4096))
        return(FALSE)
    is_there <- file.exists(contents) & !dir.exists(contents)
    is_like_a_path <- grepl("^[^[:space:]]+[.][[:alnum:]]{1,5}$", contents)
    if (all(is_there | is_like_a_path) && !all(is_there))
        fail(4, contents[!is_there][1], ": there is no such file")
    all(is_there)
}

stems_of <- function(paths) sub("(.)[.][A-Za-z0-9]+$", "\\1", basename(paths))

assemble <- function(names, contents, is_file, known) {
    if (!length(contents))
        fail(3, "there are no texts")
    # sapply() over paths makes them the names
    if (!anyNA(names) && all(grepl("/", names, fixed = TRUE)) && all(file.exists(names)))
        names <- stems_of(names)
    missing <- which(is.na(contents) | is.na(names))
    if (length(missing))
        fail(4, "the text ", quoted(names[missing[1]]), " is NA")
    documents <- data.frame(id = ids_of(names), name = enc2utf8(names), content = contents,
                            stringsAsFactors = FALSE)
    documents$is_file <- is_file
    for (field in names(known))
        documents[[field]] <- known[[field]]
    differ <- documents$id != documents$name
    if (any(differ)) {
        if (is.null(documents$title))
            documents$title <- NA_character_
        untitled <- differ & is.na(documents$title)
        documents$title[untitled] <- documents$name[untitled]
    }
    documents
}

# Ids of the targets: names, ids, or numbers from 1.
targets_of <- function(wanted, documents) {
    vapply(as.list(wanted), function(one) {
        if (is.numeric(one) && one %in% seq_len(nrow(documents)))
            return(documents$id[one])
        found <- match(as.character(one), documents$name)
        # the program says what is wrong with a name that is none
        if (is.na(found)) as.character(one) else documents$id[found]
    }, "")
}

# Writes the texts and returns their entries for the configuration.
store <- function(folder, documents) {
    lapply(seq_len(nrow(documents)), function(i) {
        row <- documents[i, ]
        entry <- list(id = row$id)
        if (row$is_file) {
            entry$file <- normalizePath(row$content, mustWork = FALSE)
        } else {
            entry$file <- paste0(row$id, ".txt")
            write_bytes(row$content, file.path(folder, entry$file))
        }
        for (field in intersect(fields, names(documents)))
            if (!is.na(row[[field]]))
                entry[[field]] <- row[[field]]
        entry
    })
}

# Writes a text as UTF-8, unless the file holds it already.
write_bytes <- function(text, path) {
    bytes <- charToRaw(enc2utf8(text))
    if (!file.exists(path) || file.size(path) != length(bytes) ||
        !identical(readBin(path, "raw", length(bytes)), bytes))
        writeBin(bytes, path)
}
