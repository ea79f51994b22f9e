package solaris_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/console/solaris"
)

func TestEveryCommandHasAManualPage(t *testing.T) {
	for _, c := range solaris.System.Commands {
		assert.NotEmpty(t, c.Synopsis, c.Name)
		assert.NotEmpty(t, c.Help, c.Name)
		assert.NotContains(t, c.Help, "\n", c.Name)
		assert.GreaterOrEqual(t, strings.Count(c.Man, "\n"), 1, "%s: several lines", c.Name)
		assert.True(t, strings.HasPrefix(c.Synopsis, c.Name), c.Name)
		for _, l := range strings.Split(c.Man, "\n") {
			assert.LessOrEqual(t, len([]rune(l)), 200, c.Name)
		}
		assert.NotEqual(t, c.Run == nil, c.Start == nil, "%s: either Run or Start", c.Name)
		for _, o := range c.Options {
			assert.True(t, strings.HasPrefix(o, "-"), c.Name)
		}
	}
}

func TestCompletionOffersWhatFits(t *testing.T) {
	s, err := sim.Open("t2000")
	require.NoError(t, err)
	con := s.Console()
	s.Type("./loop & ./loop &")
	for line, want := range map[string][]string{
		"dispadm":                    {"dispadmin"},
		"dispadmin -d F":             {"FSS", "FX"},
		"dispadmin -":                {"-c", "-d", "-g", "-l", "-r", "-s"},
		"priocntl -s -c ":            {"FSS", "FX", "IA", "RT", "TS"},
		"priocntl -s -i p":           {"pid", "ppid", "projid", "psetid"},
		"priocntl -s -i class R":     {"RT"},
		"priocntl -s -i psetid ":     {"1"},
		"priocntl -s -f o":           {"off", "on"},
		"priocntl -s 12":             {"1204", "1205", "1206"},
		"priocntl -s -p ":            {},
		"psrset -b ":                 {"1"},
		"psrset -b 1 1205":           {"1205"},
		"psrset -a 1 3":              {"3", "30", "31"},
		"psrset -d ":                 {"1"},
		"psrset -c 2":                {"2", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29"},
		"psrset -u 1206":             {"1206"},
		"pbind -b 31":                {"31"},
		"pbind -u 1206":              {"1206"},
		"psradm -f 9":                {"9"},
		"psrinfo 30":                 {"30"},
		"projects d":                 {"default"},
		"newtask -p u":               {"user.root"},
		"newtask -c 1205":            {"1205"},
		"prctl -n p":                 {"project.cpu-shares"},
		"prctl -i pro":               {"process", "project"},
		"prctl -i process 1205":      {"1205"},
		"prctl -v ":                  {},
		"prctl -i project s":         {"system"},
		"prstat -s t":                {"time"},
		"prstat -p 1205":             {"1205"},
		"prstat -j d":                {"default"},
		"prstat -P 31":               {"31"},
		"prstat -C ":                 {"1"},
		"prstat x":                   {},
		"ps -o ps":                   {"pset", "psr"},
		"ps -u ":                     {"root"},
		"ps -p 1205":                 {"1205"},
		"ps x":                       {},
		"perl -":                     {"-e", "-w"},
		"cat /etc/":                  {},
		"shutdown -":                 {"-g", "-i6", "-y"},
		"dispadmin -d FSS; psradm -": {"-a", "-f", "-n", "-v"},
	} {
		assert.Equal(t, want, append([]string{}, con.Complete(line)...), line)
	}
}

func TestWhatTheModelDoesNotKnowIsMarkedAsDecoration(t *testing.T) {
	s, err := sim.Open("t2000")
	require.NoError(t, err)
	con := s.Console()
	for line, want := range map[string]string{
		"vmstat":        " 0 0 39127104 15498368 0 0 0  0  0  0  0  0  0  0  0  575  197",
		"mpstat -a":     "    0   0    0   360   20",
		"ps -l":         "       ?",
		"w":             "root     console      10:00am                      -sh",
		"prstat -c 1 1": " 4096K 2048K",
	} {
		s.Type("./loop &")
		from := con.Log().Next()
		s.Type(line)
		settle(t, s, clock.Minute)
		lines, _ := con.Log().From(from)
		var marked []string
		for _, l := range lines {
			for i := 0; i+1 < len(l.Decoration); i += 2 {
				marked = append(marked, strings.TrimRight(l.Text[l.Decoration[i]:l.Decoration[i+1]], " "))
			}
		}
		assert.Contains(t, marked, want, line)
	}
}

func TestACommandThatRebootsIsNotRememberedInTheNewRun(t *testing.T) {
	s, err := sim.Open("t2000")
	require.NoError(t, err)
	_, err = s.Do("dispadmin -d FX")
	require.NoError(t, err)
	assert.Len(t, s.Typed(), 1)
	_, err = s.Do("reboot")
	require.NoError(t, err)
	assert.Equal(t, []sim.Setting{{Key: "reboot", Value: "FX"}}, s.Typed(), "what was typed before is over")
	assert.Equal(t, clock.Time(0), s.Now())
	out, err := s.Do("dispadmin -d")
	require.NoError(t, err)
	assert.Equal(t, "FX\t(Fixed Priority)\n", out)
}

// A real shell's vmstat goes on however late it was typed: the quiet time before
// the run counts in its first line.
func TestTheFirstLineOfVmstatCountsTheQuietTimeBeforeTheRun(t *testing.T) {
	s, err := sim.Open("t2000")
	require.NoError(t, err)
	s.Type("for i in $(seq 12); do ./loop & done")
	require.NoError(t, s.AdvanceTo(clock.Time(100*clock.Second)))
	out, err := s.Do("vmstat")
	require.NoError(t, err)
	assert.Contains(t, out, " 0  0 100\n")
}

// FuzzLines types random lines of known commands and options at a small machine:
// nothing panics, and each is done or interrupted after some seconds.
func FuzzLines(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{40, 3, 200, 41, 17, 90, 3, 77, 12, 255, 1})
	for n := range byte(24) {
		f.Add([]byte{n, 1, 80, n, 2, 81, n, 3, 82, n, 4, 1, n, 5, 2})
	}
	words := []string{
		"1204", "1205", "0", "1", "0-1", "7", "-1", "TS", "FX", "RT", "IA", "FSS", "XX", "pid", "all", "class", "project", "user.root", "default",
		"/etc/dispadmin.conf", "/tmp/x", "project.cpu-shares", "on", "INFINITE", "./loop", "'while (--$ARGV[0] and fork) {}; 1 while 1'", "pid,ppid,psr", "99999999999",
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		s, err := sim.OpenDocument("small", []byte(`{"machine": "smp4", "scheduler": {"kernel": "solaris10", "default_class": "TS"}, "tasks": {"one": {"loop": 1, "run": 1000}}, "seed": 1}`))
		require.NoError(t, err)
		next := func() int {
			if len(bytes) == 0 {
				return 0
			}
			b := bytes[0]
			bytes = bytes[1:]
			return int(b)
		}
		for range 8 {
			if len(bytes) == 0 {
				break
			}
			s.Type(fuzzLine(next, words))
			settle(t, s, 3*clock.Second)
			if s.Console().Screen() != nil {
				s.Type("q")
				settle(t, s, clock.Second)
			}
			require.False(t, s.Console().Busy())
		}
		require.NoError(t, s.AdvanceTo(s.Now().Add(clock.Second)))
	})
}

func fuzzLine(next func() int, words []string) string {
	commands := solaris.System.Commands
	c := commands[next()%len(commands)]
	line := c.Name
	for range next() % 6 {
		n := next()
		switch {
		case n%2 == 0 && len(c.Options) > 0:
			o, _, takes := strings.Cut(c.Options[n/2%len(c.Options)], " ")
			line += " " + o
			if takes {
				line += " " + words[next()%len(words)]
			}
		default:
			line += " " + words[n/2%len(words)]
		}
	}
	return line + []string{"", "", " &", " | head -3", " > /tmp/x"}[next()%5]
}
