package scenario

// books are the scenarios of textbook policies.
var books = []string{
	"textbook-rr",
	"textbook-convoy",
	"textbook-sjf",
	"textbook-srtf",
	"textbook-hrrn",
	"textbook-prio",
	"textbook-mlfq",
	"textbook-mlfq-gaming",
	"textbook-lottery",
	"textbook-stride",
	"textbook-multi",
	"textbook-rm",
	"textbook-edf",
}
