// Package bridge is the only place where Go and the page's JavaScript meet, in
// two functions: Send and Subscribe. What is said there is package proto's.
package bridge
