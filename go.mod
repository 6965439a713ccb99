module github.com/envwrap/envwrap

go 1.26
