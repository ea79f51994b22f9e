//go:build !full

package scenario

// laterScenarios are in the page's fuller program alone.
var laterScenarios []builtin
