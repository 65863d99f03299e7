library(testthat)
library(tributary)

test_check("tributary")
