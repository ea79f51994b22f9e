package scenario

// books: the page has no textbook policies yet, see policy.books.
var books []string
