package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASheetHasTheQuestionsAndOnlyWhenAskedTheAnswers(t *testing.T) {
	code, questions, _ := strandsim("exercise", "-seed", "7", "-n", "3")
	require.Zero(t, code)
	assert.Equal(t, 3, strings.Count(questions, "Write down who runs"))
	assert.NotContains(t, questions, "order:")
	code, answers, _ := strandsim("exercise", "-seed", "7", "-n", "3", "-answers")
	require.Zero(t, code)
	assert.Equal(t, 3, strings.Count(answers, "order: "))
	for _, line := range strings.Split(strings.TrimSpace(questions), "\n") {
		assert.Contains(t, answers, line)
	}
	code, page, _ := strandsim("exercise", "-seed", "7", "-n", "3", "-answers", "-html")
	require.Zero(t, code)
	assert.Equal(t, 3, strings.Count(page, "<p>Order: <code>"))
	assert.Equal(t, 6, strings.Count(page, "<table>"))
	assert.NotContains(t, page, "<script")
}

func TestWrongWishesForExercisesAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"0 exercises, want 1 to 50":        {"-n", "0"},
		"-seed -1, want 0 or more":         {"-seed", "-1"},
		`exercise takes no arguments, got`: {"x"},
	} {
		code, out, errOut := strandsim(append([]string{"exercise"}, args...)...)
		assert.Equal(t, exitUsage, code)
		assert.Empty(t, out)
		assert.Contains(t, errOut, want)
	}
}
