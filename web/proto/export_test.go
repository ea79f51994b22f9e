package proto

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExportIsDecoded(t *testing.T) {
	m, err := Decode([]byte(`{"v":1,"n":4,"cmd":"export","kind":"svg","panels":["loadavg","rqlen"],"caption":"c","link":"l"}`))
	require.NoError(t, err)
	assert.Equal(t, Message{Seq: 4, Export: &Export{Panels: []string{"loadavg", "rqlen"}, Caption: "c", Link: "l"}}, m)
	m, err = Decode([]byte(`{"v":1,"cmd":"export","kind":"csv","panels":["loadavg"]}`))
	require.NoError(t, err)
	assert.Equal(t, &Export{CSV: true, Panels: []string{"loadavg"}}, m.Export)
}

func TestExportRefuses(t *testing.T) {
	_, err := Decode([]byte(`{"v":1,"cmd":"export","kind":"gif"}`))
	require.ErrorContains(t, err, `message "export": kind is "gif", want one of svg, csv`)
	_, err = Decode([]byte(`{"v":1,"cmd":"export","kind":"csv"}`))
	require.ErrorContains(t, err, `message "export": panels has 0 names, want one for a table`)
}

func TestExportedComesBackAsItWas(t *testing.T) {
	var m map[string]any
	require.NoError(t, json.Unmarshal(Exported(7, "<a b=\"\n\">●", "Why not."), &m))
	assert.Equal(t, map[string]any{"v": 1.0, "type": "exported", "seq": 7.0, "text": "<a b=\"\n\">●", "error": "Why not."}, m)
}
