test_that("settings reach the program", {
    run <- trib_run(bay_texts, "guide", tensor_n = 4, cp = list(rank = 7, tolerance = 1e-3),
                    influence_methods = c("traced", "lowe"), corpus = list(encoding = "utf-8"))
    resolved <- readLines(file.path(run$directory, "config.resolved.yaml"))
    expect_match(resolved, "n: 4", fixed = TRUE, all = FALSE)
    expect_match(resolved, "rank: 7", fixed = TRUE, all = FALSE)
    expect_match(resolved, "tolerance: 0.001", fixed = TRUE, all = FALSE)
    expect_equal(run$methods, c("traced", "lowe"))
})

test_that("values become JSON", {
    expect_equal(json(50), "50")
    expect_equal(json(1e6), "1000000")
    expect_equal(json(0.1), "0.1")
    expect_equal(json(1 / 3), "0.33333333333333331")
    expect_equal(json("a \"b\"/c"), "\"a \\\"b\\\"/c\"")
    expect_equal(json(c("a", "b")), "[\"a\", \"b\"]")
    expect_equal(json(list("a")), "[\"a\"]")
    expect_equal(json(list(a = TRUE, b = NULL)), "{\"a\": true, \"b\": null}")
    expect_equal(settings_of(list(cp_rank = 5, cp = list(init = "nvecs"), name = "x")),
                 list(cp.rank = 5, cp.init = "nvecs", name = "x"))
    expect_error(settings_of(list(5)), "a setting has a name")
})

test_that("a run with an output can be repeated without R and opened again", {
    output <- file.path(tempfile("mine-"), "bay run")
    run <- trib_run(bay_texts, "guide", output = output)
    expect_equal(run$name, "bay run")
    again <- trib_open(output)
    expect_equal(shares(again), shares(run))
    own <- tempfile("own-")
    status <- system2(trib_program(), c("run", "-q", shQuote(
        paste0(output, "-texts/experiment.yaml")), "-o", own), stdout = FALSE)
    expect_equal(status, 0)
    expect_equal(readLines(file.path(own, "SHA256SUMS")),
                 readLines(file.path(output, "SHA256SUMS")))
    expect_equal(shares(trib_run(bay_texts, "guide", output = output)), shares(run))
})

test_that("errors have the words and the exit status of the program", {
    caught <- tryCatch(trib_run(config, output = tempfile(), cp_rnak = 3),
                       trib_error = identity)
    expect_s3_class(caught, "trib_config_error")
    expect_identical(caught$status, 3L)
    expect_match(conditionMessage(caught), "did you mean 'rank'")
    expect_error(trib_run("nowhere.yaml"), "nowhere.yaml.*No such file")
    expect_error(trib_run(bay_texts, "guyde"), "guyde", class = "trib_config_error")
    full <- tempfile()
    dir.create(full)
    writeLines("x", file.path(full, "mine"))
    expect_error(trib_run(config, output = full), class = "trib_usage_error")
    expect_equal(readLines(file.path(full, "mine")), "x")
})

test_that("what is not there is an error that says what to do", {
    expect_error(trib_open(tempfile()), "holds no run", class = "trib_usage_error")
    expect_error(passages(bay, "recip"), "'recip' in this run; did you mean 'recipe'")
    expect_error(passages(bay, "nobody"), "documents\\(\\) lists them")
    expect_error(shares(bay, "lowe-soft"), "this run has extent")
    plain <- trib_run(config, output = tempfile())
    expect_error(factor_distances(plain), "again with 'npy' in report_formats")
    split <- quick(bay_texts, "guide")
    expect_error(passages(split), "run it again with the method traced")
    expect_error(ranking(split), "run it again with the methods traced and split")
    before <- Sys.getenv("TRIBUTARY")
    on.exit(Sys.setenv(TRIBUTARY = before))
    Sys.setenv(TRIBUTARY = "/nowhere/tributary")
    expect_error(trib_run(config), "/nowhere/tributary", class = "trib_error")
})

test_that("warnings of the program are issued and kept", {
    twice <- c(bay_texts, copy = bay_texts[["guide"]])
    expect_warning(run <- trib_run(twice, "guide", cache = FALSE), class = "trib_warning")
    expect_gt(length(run$warnings), 0)
})

test_that("progress is reported, and an error in it stops the run", {
    output <- tempfile()
    heard <- NULL
    expect_error(suppressWarnings(endless(output, function(stage, share) {
        heard <<- list(stage, share)
        stop("enough")
    })), "enough")
    expect_type(heard[[1]], "character")
    expect_true(heard[[2]] >= 0 && heard[[2]] <= 1)
    expect_false(state_of(output) %in% c("complete", "running"))
})

test_that("an interrupt stops the program", {
    output <- tempfile()
    ended <- tryCatch({
        suppressWarnings(endless(output, function(stage, share)
            tools::pskill(Sys.getpid(), tools::SIGINT)))
        "went on"
    }, interrupt = function(condition) "interrupted")
    expect_equal(ended, "interrupted")
    expect_false(state_of(output) %in% c("complete", "running"))
})

test_that("a run that was stopped goes on", {
    output <- tempfile()
    status <- system2(trib_program(), c(
        "run", shQuote(config), "-o", output, "--until", "tokens", "-q", "--set",
        shQuote(paste0("report.formats=", json(all_formats)))), stdout = FALSE)
    expect_equal(status, 0)
    expect_error(trib_run(config, output = output, report_formats = all_formats, resume = FALSE),
                 "resume", class = "trib_usage_error")
    run <- trib_run(config, output = output, report_formats = all_formats)
    expect_equal(shares(run), shares(bay))
})

test_that("progress is one line", {
    shown <- capture.output(show_progress("factors", 0.25), type = "message")
    expect_match(shown, "factors +25 %")
})
