module strandscope

go 1.26
