//go:build js || desktop

package paint

import "github.com/hajimehoshi/ebiten/v2"

// Vertex is Ebitengine's, so that a batch is handed over as it is.
type Vertex = ebiten.Vertex
