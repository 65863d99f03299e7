# Runs the blocks ```r of docs/r.md and docs/coming-from.md in a folder with the small corpus. Lines
# `#> ` are the output of the lines above them.
docs <- file.path(Sys.getenv("TRIBUTARY_SOURCES", "/nowhere"), "docs")
page <- file.path(docs, "r.md")

blocks_of <- function(page) {
    lines <- readLines(page, encoding = "UTF-8")
    fences <- grep("^```", lines)
    starts <- fences[c(TRUE, FALSE)]
    Map(function(from, to) list(info = sub("^```", "", lines[from]),
                                lines = lines[seq_len(to - from - 1) + from]),
        starts, fences[c(FALSE, TRUE)])
}

test_that("the examples of the page do what they say", {
    skip_if_not(file.exists(page), "the sources are elsewhere")
    trib_example(folder <- tempfile())
    before <- setwd(folder)
    options <- options(width = 80, cli.unicode = TRUE)
    on.exit({
        setwd(before)
        options(options)
    })
    here <- new.env(parent = globalenv())
    compared <- 0
    blocks <- c(blocks_of(page), blocks_of(file.path(docs, "coming-from.md")))
    for (block in Filter(function(block) block$info == "r", blocks)) {
        is_output <- startsWith(block$lines, "#>")
        piece <- cumsum(c(TRUE, diff(is_output) == -1))
        for (lines in split(block$lines, piece)) {
            code <- lines[!startsWith(lines, "#>")]
            shown <- sub("^#> ?", "", lines[startsWith(lines, "#>")])
            grDevices::pdf(NULL)
            printed <- capture.output(for (expression in parse(text = code)) {
                result <- withVisible(eval(expression, here))
                if (result$visible)
                    print(result$value)
            })
            grDevices::dev.off()
            expect_equal(trimws(printed, "right"), trimws(shown, "right"))
            compared <- compared + length(shown)
        }
    }
    expect_gt(compared, 20)
})
