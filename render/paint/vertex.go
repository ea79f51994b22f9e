//go:build !js && !desktop

package paint

// Vertex has the fields of ebiten.Vertex that count here, for builds without
// Ebitengine: tests and the software painter.
type Vertex struct {
	DstX, DstY                     float32
	SrcX, SrcY                     float32
	ColorR, ColorG, ColorB, ColorA float32
}
