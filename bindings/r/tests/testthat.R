library(testthat)
library(tributary)

# without the program there is nothing to test
if (trib_is_installed())
    test_check("tributary")
