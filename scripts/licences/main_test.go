package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheListOfLicencesIsUpToDate(t *testing.T) {
	require.NoError(t, run("../..", true))
}

func TestWhatIsLinkedIsListedWithItsText(t *testing.T) {
	files, err := write("../..")
	require.NoError(t, err)
	list, texts := files["docs/licences.md"], files["web/licences.txt"]
	for _, row := range []string{"The Go standard library", "github.com/hajimehoshi/ebiten/v2 | v"} {
		assert.Contains(t, list, row)
	}
	assert.Contains(t, texts, "Copyright 2009 The Go Authors")
	assert.Contains(t, texts, "Apache License")
	assert.Equal(t, strings.Count(list, "\n| ")-1, strings.Count(texts, "\n"+strings.Repeat("=", 80)+"\n"), "as many texts as rows")
	assert.Contains(t, texts, "\nzstd/internal/xxhash/LICENSE.txt\n", "a linked folder with a licence of its own")
	assert.NotContains(t, list, "testify", "what only tests use is in nothing that is given out")
}

func TestALicenceIsKnownByItsWordsAndNoOtherIsTakenForOne(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n  Version 2.0, January 2004":                                                             "Apache-2.0",
		"Redistribution and use in source and\nbinary forms, … Neither the name of X":                             "BSD-3-Clause",
		"Redistribution and use in source and binary forms":                                                       "BSD-2-Clause",
		"Permission is hereby granted, free of charge, … The above copyright notice and this permission notice":   "MIT",
		"Redistribution and use in source and binary forms, … Neither the name of X\nApache License\nVersion 2.0": "BSD-3-Clause, Apache-2.0",
		"GNU GENERAL PUBLIC LICENSE": "",
		"":                           "",
	} {
		assert.Equal(t, want, kind(text), text)
	}
}
