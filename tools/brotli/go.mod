// What measures the program's size under brotli, apart from the program.
module strandscope/tools/brotli

go 1.26

require github.com/andybalholm/brotli v1.3.0
