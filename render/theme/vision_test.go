package theme

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/scene"
)

// visions simulate dichromats: linear RGB times a matrix, of Machado, Oliveira and
// Fernandes, “A Physiologically-based Model for Simulation of Color Vision
// Deficiency”, IEEE TVCG 15(6), 2009, at severity 1.0.
var visions = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// lab is a colour as seen, in CIE L*a*b* under D65.
func lab(c scene.Color, m [3][3]float64) [3]float64 {
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var rgb [3]float64
	for i := range m {
		for j := range in {
			rgb[i] += m[i][j] * in[j]
		}
		rgb[i] = min(1, max(0, rgb[i]))
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*rgb[0] + 0.3575761*rgb[1] + 0.1804375*rgb[2]) / 0.95047)
	y := f(0.2126729*rgb[0] + 0.7151522*rgb[1] + 0.0721750*rgb[2])
	z := f((0.0193339*rgb[0] + 0.1191920*rgb[1] + 0.9503041*rgb[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// ciede2000 is the difference of two colours after Sharma, Wu and Dalal, “The
// CIEDE2000 Color-Difference Formula”, Color Research & Application 30(1), 2005.
func ciede2000(p, q [3]float64) float64 {
	deg := func(r float64) float64 { return math.Mod(r*180/math.Pi+360, 360) }
	sin := func(d float64) float64 { return math.Sin(d * math.Pi / 180) }
	cos := func(d float64) float64 { return math.Cos(d * math.Pi / 180) }
	pow7 := func(c float64) float64 { c7 := math.Pow(c, 7); return math.Sqrt(c7 / (c7 + 6103515625)) } // 25⁷
	g := 0.5 * (1 - pow7((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2))
	a1, a2 := p[1]*(1+g), q[1]*(1+g)
	c1, c2 := math.Hypot(a1, p[2]), math.Hypot(a2, q[2])
	hue := func(b, a float64) float64 {
		if a == 0 && b == 0 {
			return 0
		}
		return deg(math.Atan2(b, a))
	}
	h1, h2 := hue(p[2], a1), hue(q[2], a2)
	dh, h := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, h = 0, h1+h2
	case dh > 180:
		dh -= 360
	case dh < -180:
		dh += 360
	}
	if c1*c2 != 0 && math.Abs(h1-h2) > 180 {
		if h += 180; h >= 360 {
			h -= 360
		}
	}
	dL, dC, dH := q[0]-p[0], c2-c1, 2*math.Sqrt(c1*c2)*sin(dh/2)
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	t := 1 - 0.17*cos(h-30) + 0.24*cos(2*h) + 0.32*cos(3*h+6) - 0.20*cos(4*h-63)
	sL := 1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	sC, sH := 1+0.045*c, 1+0.015*c*t
	turn := 30 * math.Exp(-(h-275)/25*(h-275)/25)
	rT := -2 * pow7(c) * sin(2*turn)
	return math.Sqrt(dL*dL/sL/sL + dC*dC/sC/sC + dH*dH/sH/sH + rT*dC/sC*dH/sH)
}

func TestTheColourDifferenceIsThatOfItsAuthors(t *testing.T) {
	// Rows 1, 7, 14, 17 and 25 of table 1 of Sharma, Wu and Dalal.
	for want, pair := range map[float64][2][3]float64{
		2.0425:  {{50, 2.6772, -79.7751}, {50, 0, -82.7485}},
		2.3669:  {{50, 0, 0}, {50, -1, 2}},
		4.3065:  {{50, 2.5, 0}, {50, 0, -2.5}},
		27.1492: {{50, 2.5, 0}, {73, 25, -18}},
		1.2644:  {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}},
	} {
		assert.InDelta(t, want, ciede2000(pair[0], pair[1]), 1e-4)
		assert.InDelta(t, want, ciede2000(pair[1], pair[0]), 1e-4)
	}
}

// Any two classes of one kernel differ by colour or by sign, however one sees.
func TestClassesAreToldApartByEveryEye(t *testing.T) {
	kernels := [][]string{{"TS", "FSS", "FX", "IA", "RT", "SYS", "unset"}, {"OTHER", "FIFO", "RR"}}
	each(t, func(t *testing.T, p *Palette) {
		for _, classes := range kernels {
			for i, a := range classes {
				for _, b := range classes[:i] {
					assert.NotEqual(t, Sign(a), Sign(b), "the signs of %s and %s", a, b)
					for vision, m := range visions {
						d := ciede2000(lab(p.Class(a), m), lab(p.Class(b), m))
						assert.True(t, d >= 20 || Sign(a) != Sign(b), "%s and %s under %s differ by %.1f", a, b, vision, d)
					}
				}
			}
		}
	})
}

// What only colour tells apart within one mark must differ enough: user and system
// time in the utilisation's areas, a busy cell and an idle one.
func TestMarksWithoutASignDifferByColourToEveryEye(t *testing.T) {
	each(t, func(t *testing.T, p *Palette) {
		for vision, m := range visions {
			see := func(c scene.Color) [3]float64 { return lab(c, m) }
			assert.GreaterOrEqual(t, ciede2000(see(p.Accent), see(p.Idle)), 20.0, "busy and idle under %s", vision)
			assert.GreaterOrEqual(t, ciede2000(see(Over(p.TS.Alpha(217), p.Panel)), see(p.Panel)), 20.0, "user time under %s", vision)
		}
	})
}

// cssTheme reads the colours of a rule of the page's style sheet.
func cssTheme(t *testing.T, selector string) map[string]scene.Color {
	t.Helper()
	sheet, err := os.ReadFile("../../web/style.css")
	require.NoError(t, err)
	_, rule, found := strings.Cut(string(sheet), selector+" {")
	require.True(t, found, selector)
	rule, _, _ = strings.Cut(rule, "}")
	colors := map[string]scene.Color{}
	for _, m := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{3,6})`).FindAllStringSubmatch(rule, -1) {
		digits := m[2]
		if len(digits) == 3 {
			digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
		}
		var rgb uint32
		_, err := fmt.Sscanf(digits, "%x", &rgb)
		require.NoError(t, err)
		colors[m[1]] = scene.Hex(rgb)
	}
	return colors
}

func TestTheStyleSheetHasThePalettesColoursAndTheirContrast(t *testing.T) {
	for selector, name := range map[string]string{
		":root": "dark", `:root[data-theme="light"]`: "light", `:root[data-theme="projector"]`: "projector",
		"  :root:not([data-theme])": "light",
	} {
		t.Run(selector, func(t *testing.T) {
			css, p := cssTheme(t, selector), Find(name)
			want := map[string]scene.Color{
				"bg": p.Background, "panel": p.Panel, "raise": p.Raise, "line": p.Line, "ink": p.Ink, "dim": p.Dim, "accent": p.Accent,
				"ts": p.TS, "fss": p.FSS, "fx": p.FX, "ia": p.IA, "rt": p.RT, "sys": p.SYS, "none": p.Unset,
			}
			for role, c := range want {
				assert.Equal(t, c, css[role], role)
			}
			least := 4.5
			if name == "projector" {
				least = 7
			}
			for _, ground := range []string{"bg", "panel", "raise"} {
				for _, text := range []string{"ink", "dim", "fss", "fx", "rt", "alarm", "accent"} {
					assert.GreaterOrEqual(t, Contrast(css[text], css[ground]), least, "%s on %s", text, ground)
				}
				for _, mark := range []string{"edge", "ts", "ia", "sys", "none", "accent"} { // borders of controls, the ring of the focus
					assert.GreaterOrEqual(t, Contrast(css[mark], css[ground]), 3.0, "%s on %s", mark, ground)
				}
			}
			assert.GreaterOrEqual(t, Contrast(css["on-accent"], css["accent"]), least)
		})
	}
}
