// Package app is the program in the stage without Ebitengine and without a
// browser: it takes messages, lets time pass, says when to paint, and reports
// to the page. What paints and what carries messages is handed in, so that all
// of it runs in ordinary tests.
package app
