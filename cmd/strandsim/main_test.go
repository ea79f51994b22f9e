package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"
)

// strandsim runs the command with arguments and returns its exit code and what
// it wrote.
func strandsim(args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = mainCode(append([]string{"strandsim"}, args...), &o, &e)
	return code, o.String(), e.String()
}

func TestListNamesEveryScenario(t *testing.T) {
	code, out, errOut := strandsim("list")
	require.Zero(t, code, errOut)
	for _, want := range []string{"t2000-unset", "t2000-ts", "t2000-fss", "Sun Fire T2000", "Victor Feng, April 2008"} {
		assert.Contains(t, out, want)
	}
}

func TestRunPrintsTheTipsVmstat(t *testing.T) {
	rows := func(args ...string) []string {
		code, out, errOut := strandsim(append([]string{"run"}, args...)...)
		require.Zero(t, code, errOut)
		lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
		require.Len(t, lines, 7, out)
		return lines[3:]
	}
	for _, line := range rows("t2000-unset", "-for", "12s", "-o", "vmstat:3") {
		assert.Regexp(t, `^ 20 0 0 .* 37  0 6[23]$`, line)
	}
	for _, args := range [][]string{
		{"t2000-unset", "-for", "12s", "-set", "explanation=kernel", "-o", "vmstat:3"},
		{"-for", "12s", "-o", "vmstat:3", "t2000-fss"},
		{"t2000-ts", "--for=12s", "-o=vmstat:3"},
	} {
		for _, line := range rows(args...) {
			assert.Regexp(t, `^ 0 0 0 .* 100 0  0$`, line)
		}
	}
}

func TestRunWritesEveryFormat(t *testing.T) {
	for format, want := range map[string]string{
		"summary":    `12 of 32 strands busy, 20 waiting`,
		"vmstat":     `us sy id`,
		"uptime":     `^ 10:00am  up  1 user,  load average: \d`,
		"digest":     `^[0-9a-f]{16}\n$`,
		"events":     `"ev":"on","cpu":0,"thread":1,"pri":29`,
		"mpstat":     `(?m)^CPU minf mjf xcal .*\n  0 .* 100   0   0   0$`,
		"mpstat-p:3": `(?m) idl set\n  0 .*   1$`,
		"mpstat-a":   `(?m) idl sze\n  0 .*  20\n  1 .*  12$`,
		"prstat":     `(?m)^  1204 root     4096K 2048K (run|cpu\d+) .* perl/1$`,
		"prstat:2":   `(?s)(Total: 32 processes, 32 lwps, load averages: .*){2}`,
		"prstat-m":   `(?m)^  1204 root     +\d.* perl/1$`,
		"prstat-J":   `(?m)^     1       32  128M   64M .* user.root\nTotal`,
		"corestat:3": `(?m)^ +all +37\.5 +37\.5 +36\.9$`,
		"projects":   `(?m)^processor set 1, 12 CPUs on-line\n.*\n +1 user\.root +- +- +100\.00 +-$`,
		"latency":    `(?m)^perl +32 .* 240\.000 `,
		"switches":   `(?m)^ +\d+  quantum end$`,
		"waits":      `(?m)^perl +perl +60\.000 +100\.0$`,
		"jobs":       `(?m)^ +mean +none`,
		"csv":        `^time_s,r,us_pct,sy_pct,id_pct,load1,load5,load15,busy_strands,busy_cores,issue_slots_pct_model,switches\n1,20,38,0,62,0\.03,0\.00,0\.00,12\.000,3\.000,36\.9,`,
		"perfetto":   `"traceEvents":\[\n\{"name":"process_name"`,
		"ftrace":     `(?m)^# tracer: nop\n(.*\n)+ +<idle>-0       \[000\] d..2.     0.000000000: sched_switch: prev_comm=swapper/0 .* ==> next_comm=perl next_pid=1204 `,
	} {
		code, out, errOut := strandsim("run", "t2000-unset", "-for", "3s", "-o", format)
		require.Zero(t, code, errOut)
		assert.Regexp(t, want, out, format)
	}
}

func TestEveryFormatHasATest(t *testing.T) {
	text, err := os.ReadFile("main_test.go")
	require.NoError(t, err)
	for _, f := range formats {
		if f.kernel != "" || f.lacks != nil {
			continue // of some scenarios, below
		}
		assert.Regexp(t, `(?m)^\t+"`+regexp.QuoteMeta(f.name)+`(:\d+)?": `, string(text))
	}
}

func TestTopIsOnLinuxOnly(t *testing.T) {
	code, out, errOut := strandsim("run", "linux22-250-hogs", "-for", "11s", "-o", "top:5")
	require.Zero(t, code, errOut)
	assert.Equal(t, 2, strings.Count(out, "  PID USER     PRI  NI  SIZE  RSS SHARE STAT  LIB %CPU %MEM   TIME COMMAND\n"))
	code, out, errOut = strandsim("run", "linux22-250-hogs", "-for", "0s", "-o", "top")
	require.Zero(t, code, errOut)
	assert.Equal(t, 1, strings.Count(out, "CPU states:"))
	code, out, errOut = strandsim("run", "t2000-unset", "-o", "top")
	assert.Equal(t, exitUsage, code)
	assert.Empty(t, out)
	assert.Contains(t, errOut, "-o top: there is none on solaris10")
}

func TestProbesAreShownBesideTheSameProbesAlone(t *testing.T) {
	code, out, errOut := strandsim("run", "linux22-typing", "-for", "600s", "-o", "probes")
	require.Zero(t, code, errOut)
	m := regexp.MustCompile(`(?m)^bash: (\d+) wake-ups, (\d+) served in their clock tick; longest wait \d+\.\d{3} ms$`).FindStringSubmatch(out)
	require.NotNil(t, m, out)
	all, err := strconv.Atoi(m[1])
	require.NoError(t, err)
	inTick, err := strconv.Atoi(m[2])
	require.NoError(t, err)
	assert.InDelta(t, 600/0.19, all, 2, "0.18 s of sleep are 19 ticks")
	assert.GreaterOrEqual(t, inTick, all*98/100)
	assert.Regexp(t, `(?m)^ +at once +\d+ +315\d$`, out, "alone every wake is served at once")

	code, out, errOut = strandsim("run", "t2000-ts", "-o", "probes")
	assert.Equal(t, exitUsage, code)
	assert.Empty(t, out)
	assert.Contains(t, errOut, "-o probes: no task of this scenario is a probe")
}

// What the mail's authors argued about: the recalculation costs the same however
// many hogs there are, the scan grows with them.
func TestTheCurveOfCosts(t *testing.T) {
	code, out, errOut := strandsim("run", "linux22-recalculation", "-o", "curve")
	require.Zero(t, code, errOut)
	rows := strings.Split(strings.TrimSpace(out), "\n")[2:]
	require.Len(t, rows, 7)
	for _, row := range rows {
		var n, decisions, evals, recalculated, cost float64
		_, err := fmt.Sscan(row, &n, &decisions, &evals, &recalculated, &cost)
		require.NoError(t, err, row)
		assert.InDelta(t, 19, recalculated, 3, "%v hogs", n)
		assert.InDelta(t, 1, evals/decisions/n, 0.6, "%v hogs", n)
	}
	code, _, errOut = strandsim("run", "t2000-ts", "-o", "curve")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errOut, "-o curve: this scenario has no curve")
}

func TestFtraceOfLinuxHasLinuxPriorities(t *testing.T) {
	code, out, errOut := strandsim("run", "linux22-250-hogs", "-for", "5s", "-o", "ftrace")
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "# simulated; prio is 100 + PRI of top, 120 for the idle loop\n")
	assert.Regexp(t, `(?m)sched_switch: prev_comm=loop prev_pid=\d+ prev_prio=120 prev_state=R ==> next_comm=loop next_pid=\d+ next_prio=110$`, out)
}

func TestSummarySaysLoadPerCPUWithoutAPercentSignAndEveryClass(t *testing.T) {
	// L-5 of the cases: 16 on 32 strands are 16 and 0.50 per CPU, never 50 %.
	doc := `{"machine": "t2000", "scheduler": {"default_class": "FX"}, "tasks": {
		"hog": {"instance": 16, "run": 1000000}, "other": {"run": 1000, "sleep": 600000000, "policy": "TS"}}}`
	code, out, errOut := strandsim("run", write(t, doc), "-for", "20m")
	require.Zero(t, code, errOut)
	assert.Regexp(t, `(?m)^load average 16\.00, 15\.\d\d, 11\.\d\d; 0\.50 per CPU \(32\)$`, out)
	// L-9: the class is always there.
	assert.Regexp(t, `(?m)^hog +FX +16 `, out)
	assert.Regexp(t, `(?m)^other +TS +1 `, out)
}

func TestACSVRowIsASecond(t *testing.T) {
	code, out, errOut := strandsim("run", "t2000-oltp", "-for", "7500ms", "-o", "csv")
	require.Zero(t, code, errOut)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+7)
	for i, r := range rows[1:] {
		assert.Equal(t, strconv.Itoa(i+1), r[0])
	}
}

func TestPerfettoIsValidJSON(t *testing.T) {
	code, out, errOut := strandsim("run", "t2000-oltp", "-for", "3s", "-o", "perfetto")
	require.Zero(t, code, errOut)
	var doc struct {
		TraceEvents []struct{ Ph string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	assert.Greater(t, len(doc.TraceEvents), 3000)
}

func TestAFormatThatStartsAgainRunsTheSettingsAndCommands(t *testing.T) {
	args := []string{"run", "fss-1-3", "-for", "30s", "-set", "do@10s=prctl -n project.cpu-shares -v 9 -r -i project three"}
	code, out, errOut := strandsim(append(args, "-o", "projects")...)
	require.Zero(t, code, errOut)
	assert.Regexp(t, `(?m)^ +2 three +9 +8[45]\.\d\d `, out, "10 s of 3/4 and 20 s of 9/10 are 85 %")
}

func TestEventsAreJSONLinesFromTheFirstOn(t *testing.T) {
	code, out, _ := strandsim("run", "t2000-unset", "-for", "1s", "-o", "events")
	require.Zero(t, code)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Greater(t, len(lines), 500)
	for _, l := range lines {
		var e struct {
			At *int64 `json:"t_ns"`
			Ev string
		}
		require.NoError(t, json.Unmarshal([]byte(l), &e), l)
		require.NotNil(t, e.At)
	}
	assert.Contains(t, lines[0], `"ev":"created","thread":0`)
}

// write puts a document into a file.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestBadInputGetsOneSentenceAndExitCodeTwo(t *testing.T) {
	cases := map[string]struct {
		args []string
		want string
	}{
		"no scenario":       {[]string{"run"}, "run needs one SCENARIO"},
		"two scenarios":     {[]string{"run", "a", "b"}, "got 2"},
		"unknown scenario":  {[]string{"run", "t2000-unst"}, `did you mean "t2000-unset"?`},
		"missing file":      {[]string{"run", "./nowhere.json"}, "./nowhere.json: no such file"},
		"unknown class":     {[]string{"run", "t2000-unset", "-set", "class=FSX"}, `class "FSX" is not loaded in solaris10`},
		"unknown setting":   {[]string{"run", "t2000-unset", "-set", "clss=FSS"}, `setting "clss" is unknown`},
		"setting without =": {[]string{"run", "t2000-unset", "-set", "class"}, "want key=value"},
		"unknown format":    {[]string{"run", "t2000-unset", "-o", "vmsat"}, `did you mean "vmstat"?`},
		"bad interval":      {[]string{"run", "t2000-unset", "-o", "vmstat:0"}, `interval "0", want 1 to 86400 seconds`},
		"needless interval": {[]string{"run", "t2000-unset", "-o", "digest:3"}, "takes no interval"},
		"needless of csv":   {[]string{"run", "t2000-unset", "-o", "csv:3"}, "-o csv takes no interval"},
		"bad prstat":        {[]string{"run", "t2000-unset", "-o", "prstat:-1"}, `interval "-1", want 1 to 86400 seconds`},
		"near format":       {[]string{"run", "t2000-unset", "-o", "mpstatt:3"}, `did you mean "mpstat"?`},
		"negative time":     {[]string{"run", "t2000-unset", "-for", "-3s"}, "want 0s to"},
		"no time":           {[]string{"run", "t2000-unset", "-for", "soon"}, "soon"},
		"unknown flag":      {[]string{"run", "t2000-unset", "-fro", "3s"}, "fro"},
		"unknown command":   {[]string{"rnu"}, `unknown command "rnu"`},
		"verify nothing":    {[]string{"verify"}, "needs at least one DIR"},
		"verify nowhere":    {[]string{"verify", "/nonexistent"}, "/nonexistent"},
		"not JSON":          {[]string{"run", write(t, `{"tasks": `)}, "mine.json: not JSON: line 1"},
		"unknown key":       {[]string{"run", write(t, `{"tasks": {"a": {"runn": 1, "instace": 2, "run": 3}}}`)}, `mine.json: tasks.a.instace: unknown key; did you mean "instance"?`},
		"no tasks":          {[]string{"run", write(t, `{}`)}, "mine.json: tasks: missing"},
		"burst of −4":       {[]string{"run", write(t, `{"tasks": {"a": {"run": -4}}}`)}, "mine.json: tasks.a.run: -4, want 0 to"},
		"serve nothing":     {[]string{"serve", "-dir", t.TempDir()}, "holds no index.html"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := strandsim(c.args...)
			assert.Equal(t, exitUsage, code)
			assert.Contains(t, errOut, c.want)
			assert.Equal(t, 1, strings.Count(errOut, "\n"), "one sentence, on one line: %q", errOut)
			assert.Empty(t, out, "nothing but the sentence")
		})
	}
}

func TestVerifyCountsAndFailsOnADifference(t *testing.T) {
	dir := t.TempDir()
	good := "level,rt_globpri,rt_quantum_ticks\n0,100,100\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rt.csv"), []byte(good), 0o600))
	code, out, errOut := strandsim("verify", dir)
	require.Zero(t, code, errOut)
	assert.Regexp(t, `(?s)^ok    .*rt\.csv \(1 rows\)\n1 passed, 0 failed, 0 skipped\n$`, out)

	bad := strings.Replace(good, "0,100,100", "0,100,99", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "worse.csv"), []byte(bad), 0o600))
	code, out, _ = strandsim("verify", dir)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, out, "worse.csv: line 2: rt_quantum_ticks: recorded 99, model 100")
	assert.Contains(t, out, "1 passed, 1 failed, 0 skipped")
}

func TestHelpNamesEveryCommand(t *testing.T) {
	for _, args := range [][]string{nil, {"help"}, {"--help"}} {
		code, out, errOut := strandsim(args...)
		require.Zero(t, code, errOut)
		for _, c := range commands {
			assert.Contains(t, out, c().Name)
		}
	}
}

// S-15: a share is no cap, and who asks for a cap is told so.
func TestACapIsRefusedInWords(t *testing.T) {
	_, _, errOut := strandsim("run", "t2000-fss", "-for", "2s", "-set", "do@1s=prctl -n project.cpu-cap -v 200 -i project user.root")
	assert.Contains(t, errOut, "project.cpu-cap: CPU caps are not modelled; shares divide the CPUs")
}

// L-4: load is demand, utilisation is use; ten tasks that want the CPU at once
// for a ninth of the time.
func TestLoadAndUtilisationAreTwoThings(t *testing.T) {
	doc := `{"machine": "up", "scheduler": {"kernel": "linux-2.2.8"}, "tasks": {
		"w": {"instance": 10, "loop": -1, "run": 11000, "sleep": 970000}}}`
	code, out, errOut := strandsim("run", write(t, doc), "-for", "300s")
	require.Zero(t, code, errOut)
	load := regexp.MustCompile(`(?m)^load average .*$`).FindString(out)
	assert.NotContains(t, load, "%")
	assert.Regexp(t, `(?m)^last second: r \d+  us 1[01]  sy 0  id (89|90)$`, out)
}

func TestThePageIsServedToThisComputerAloneUnlessToldOtherwise(t *testing.T) {
	for _, f := range serveCommand().Flags {
		if f, ok := f.(*cli.StringFlag); ok && f.Name == "addr" {
			host, _, err := net.SplitHostPort(f.Value)
			require.NoError(t, err)
			assert.True(t, net.ParseIP(host).IsLoopback(), f.Value)
			return
		}
	}
	t.Fatal("serve takes no address")
}
