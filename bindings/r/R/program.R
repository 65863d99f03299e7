# The installed program: where it is, and how it is called.

trib_program <- function() {
    named <- Sys.getenv("TRIBUTARY")
    if (nzchar(named))
        return(named)
    own <- system.file("bin", "tributary", package = "tributary")  # compiled with this package
    if (nzchar(own))
        return(own)
    # Of a package PREFIX/lib/R/site-library/tributary the program is PREFIX/bin/tributary.
    up <- system.file(package = "tributary")
    for (level in 1:4) {
        up <- dirname(up)
        beside <- file.path(up, "bin", "tributary")
        if (file.access(beside, 1) == 0 && !dir.exists(beside))
            return(beside)
    }
    found <- unname(Sys.which("tributary"))
    if (!nzchar(found))
        fail(1, "the program tributary is not installed; `make install` installs it, a package of ",
             "`make r` contains it, and the variable TRIBUTARY can name it: ",
             "Sys.setenv(TRIBUTARY = \"/path/to/tributary\")")
    found
}

trib_is_installed <- function()
    tryCatch(is.character(checked_program()), trib_error = function(e) FALSE)

# Programs whose version was asked for.
versions <- new.env()

# The path of the program, which must be of the version of this package.
checked_program <- function() {
    path <- trib_program()
    if (is.null(versions[[path]])) {
        said <- suppressWarnings(tryCatch(
            system2(path, c("version", "--json"), stdout = TRUE, stderr = FALSE),
            error = function(e) character()))
        found <- tryCatch(parse_json(paste(said, collapse = "\n"))$version,
                          error = function(e) NULL)
        if (is.null(found))
            fail(1, path, " is no program tributary that runs here; the variable TRIBUTARY can ",
                 "name another")
        assign(path, found, versions)
    }
    own <- as.character(utils::packageVersion("tributary"))
    if (versions[[path]] != own)
        fail(1, "the R package is tributary ", own, ", and the program ", path, " is ",
             versions[[path]], "; install the same version of both, or name another program by ",
             "the variable TRIBUTARY")
    path
}

trib_example <- function(directory = tempfile("tributary-example-")) {
    call_program(c("init", "-q", path.expand(directory)))
    normalizePath(directory)
}

parse_json <- function(text) jsonlite::fromJSON(text, simplifyVector = FALSE)

# Runs a command and returns the lines of its standard output. `hear` receives every line of its
# log, as a list. An interrupt, or an error of `hear`, stops the program as Ctrl-C does, so that it
# leaves what it can resume.
call_program <- function(arguments, hear = function(entry) NULL) {
    folder <- tempfile("tributary-call-")
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    started <- start_program(c("--progress", "json", arguments), folder)
    is_over <- FALSE
    on.exit(if (!is_over) stop_program(started), add = TRUE, after = FALSE)
    errors <- character()
    wait <- 0.002
    repeat {
        status <- status_of(started)  # before the last lines are read
        for (entry in next_entries(started)) {
            if (identical(entry$level, "error"))
                errors <- c(errors, entry$message)
            hear(entry)
        }
        if (!is.na(status))
            break
        Sys.sleep(wait)
        wait <- min(0.1, wait * 1.3)
    }
    is_over <- TRUE
    if (status != 0)
        fail(status, if (length(errors)) paste(errors, collapse = "\n")
             else paste("tributary ended with status", status))
    readLines(started$out, encoding = "UTF-8", warn = FALSE)
}

# Starts the program in the background. Its output, log, process id and exit status become files,
# since R has no other way to wait for a process that it can stop.
start_program <- function(arguments, folder) {
    started <- as.list(setNames(file.path(folder, c("out", "log", "pid", "status", "script")),
                                c("out", "log", "pid", "status", "script")))
    started$read <- new.env()
    started$read$bytes <- 0
    words <- paste(shQuote(enc2utf8(c(checked_program(), arguments))), collapse = " ")
    lines <- c(
        sprintf("%s </dev/null >%s 2>%s &", words, shQuote(started$out), shQuote(started$log)),
        sprintf("echo $! >%s", shQuote(started$pid)),
        "wait $!",
        sprintf("echo $? >%1$s.new; mv %1$s.new %1$s", shQuote(started$status)))
    writeLines(lines, started$script, useBytes = TRUE)
    file.create(started$log)
    system(paste("sh", shQuote(started$script), ">/dev/null 2>&1"), wait = FALSE)
    started
}

# The exit status, or NA while the program runs.
status_of <- function(started)
    if (file.exists(started$status)) as.integer(readLines(started$status)[1]) else NA_integer_

# The lines of the log since the last call, as lists.
next_entries <- function(started) {
    size <- file.size(started$log)
    if (is.na(size) || size <= started$read$bytes)
        return(list())
    log <- file(started$log, "rb")
    on.exit(close(log))
    seek(log, started$read$bytes)
    bytes <- readBin(log, "raw", size - started$read$bytes)
    ends <- which(bytes == as.raw(10L))
    if (!length(ends))
        return(list())
    started$read$bytes <- started$read$bytes + ends[length(ends)]
    text <- rawToChar(bytes[seq_len(ends[length(ends)])])
    Encoding(text) <- "UTF-8"
    lapply(strsplit(text, "\n", fixed = TRUE)[[1]], function(line)
        tryCatch(parse_json(line), error = function(e) list(level = "error", message = line)))
}

stop_program <- function(started, patience = 10) {
    deadline <- Sys.time() + 1
    while (!file.exists(started$pid) && Sys.time() < deadline)
        Sys.sleep(0.01)
    pid <- suppressWarnings(as.integer(readLines(started$pid)))
    if (length(pid) != 1 || is.na(pid) || !is.na(status_of(started)))
        return(invisible())
    tools::pskill(pid, tools::SIGTERM)
    deadline <- Sys.time() + patience
    while (is.na(status_of(started)) && Sys.time() < deadline)
        Sys.sleep(0.02)
    if (is.na(status_of(started)))
        tools::pskill(pid, tools::SIGKILL)
    invisible()
}
