// Command strandtool is the page's second program: it writes all events of a run as a
// file (cmd/internal/tracefile), for which the first one has no room. web/tool.js fetches
// it when somebody asks for such a file, and a worker (web/toolworker.js) runs it, once
// for each file.
//
// It knows the kernels that the page knows, and neither Ebitengine nor anything of
// render or web: a request is one JSON object (request.go), the answer goes out in
// chunks (job.go), and main_js.go is all that speaks with JavaScript.
package main
