package proto

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
)

func TestPanelsAndCoresAreCommands(t *testing.T) {
	for text, want := range map[string]act.Command{
		`{"v":1,"cmd":"panels","order":["timeline"],"hidden":["rqlen","cost"],"large":""}`: act.Arrange{Panels: act.Panels{
			Order: []string{"timeline"}, Hidden: []string{"rqlen", "cost"},
		}},
		`{"v":1,"cmd":"panels","large":"ladder"}`:  act.Arrange{Panels: act.Panels{Large: "ladder"}},
		`{"v":1,"cmd":"panels"}`:                   act.Arrange{},
		`{"v":1,"cmd":"panels","compact":true}`:    act.Arrange{Panels: act.Panels{Compact: true}},
		`{"v":1,"cmd":"cores","on":true}`:          act.Cores{On: true},
		`{"v":1,"cmd":"theme","name":"projector"}`: act.Theme{Name: "projector"},
	} {
		m, err := Decode([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, m.Command)
	}
	for text, want := range map[string]string{
		`{"v":1,"cmd":"panels","hidden":"rqlen"}`: `message "panels": hidden is "rqlen", want a list of at most 64 names`,
		`{"v":1,"cmd":"panels","hidden":[1]}`:     `want a list of at most 64 names`,
		`{"v":1,"cmd":"panels","compact":1}`:      `compact is 1, want true or false`,
		`{"v":1,"cmd":"theme","name":"beige"}`:    `projector`,
	} {
		_, err := Decode([]byte(text))
		assert.ErrorContains(t, err, want)
	}
}

func TestTheStateTellsEachPanelAndItsWords(t *testing.T) {
	s := sample()
	s.View.Panels.Large, s.View.Cores = "ladder", true
	s.Panels = []Panel{{ID: "ladder", Title: "Priorities", Words: "None.", Shown: true, Side: true}}
	var e Encoder
	b := e.State(s)
	var got struct {
		Panels struct {
			Large string
			Cores bool
			List  []struct {
				ID, Title, Words string
				Shown, Side      bool
			}
		}
	}
	require.NoError(t, json.Unmarshal(b, &got))
	assert.Equal(t, "ladder", got.Panels.Large)
	assert.True(t, got.Panels.Cores)
	require.Len(t, got.Panels.List, 1)
	assert.Equal(t, "None.", got.Panels.List[0].Words)
	assert.True(t, got.Panels.List[0].Side)
}
