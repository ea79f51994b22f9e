package linux22

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
	"strandscope/sim/workload"
)

var ping = console.Command{
	Name: "ping", Synopsis: "ping [-nqv] [-c COUNT] [-i SECONDS] HOST", Help: "asks another host for an answer each second, and times it",
	Man: `ping shows how soon a box serves a process that wakes and needs a CPU for a
moment: the mail measured interactivity by it. -c ends it after so many answers,
-i sets whole seconds between two, -q prints the summary only.

ping is a process of the simulated machine: it is woken once a second, computes
for 0.1 ms and sleeps. The time printed is 0.2 ms of network, which is the mail's
figure and a constant here, and what the process then waited for a CPU. There is
no network in the model: no packet is lost, and every numbered host answers.`,
	Options: []string{"-c COUNT", "-i SECONDS", "-n", "-q", "-v"},
	Complete: func(_ *console.Env, _ []string) []string {
		return []string{"195.4.7.3", "localhost"}
	},
	Start: startPing,
}

const (
	// network is the round trip to the mail's other host, as it printed it.
	network = 200 * clock.Microsecond
	// pingRun is what ping computes per packet; see the scenario linux22-250-hogs.
	pingRun = 100 * clock.Microsecond
)

const pingUsage = "usage: ping [-nqv] [-c count] [-i wait] host"

type pingOptions struct {
	count int64 // 0: no end
	every int64 // seconds
	quiet bool
	host  string
}

// pingTool is ping under way.
type pingTool struct {
	*service
	pingOptions
	address       string
	replies, seen int
	min, max, sum clock.Duration
}

func startPing(e *console.Env, args []string) (console.Tool, int) {
	o := pingOptions{every: 1}
	if err := o.read(args); err != "" {
		if err != pingUsage {
			err = "ping: " + err
		}
		e.Complain(err)
		return nil, 2
	}
	address, ok := resolve(o.host)
	if !ok {
		e.Complain("ping: unknown host " + console.Shorten(o.host))
		return nil, 2
	}
	prog, err := o.program(e.Machine.Tick())
	if err != nil {
		return nil, e.Errorf("%s", err)
	}
	s, status := serve(e, "ping", prog)
	if s == nil {
		return nil, status
	}
	e.Printf("PING %s (%s): 56 data bytes\n", o.host, address)
	return &pingTool{service: s, pingOptions: o, address: address}, 0
}

// read returns what is wrong with the options.
func (o *pingOptions) read(args []string) string {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if len(a) < 2 || a[0] != '-' {
			if o.host != "" {
				return pingUsage
			}
			o.host = a
			continue
		}
		for i := 1; i < len(a); i++ {
			switch c := a[i]; c {
			case 'n', 'v':
			case 'q':
				o.quiet = true
			case 'c', 'i':
				word := a[i+1:]
				if word == "" {
					if len(args) == 0 {
						return fmt.Sprintf("option requires an argument -- %c", c)
					}
					word, args = args[0], args[1:]
				}
				n, err := strconv.ParseUint(word, 10, 31)
				switch {
				case c == 'c' && (err != nil || n == 0):
					return "bad number of packets to transmit."
				case c == 'i' && (err != nil || n == 0 || n > maxDelay):
					return "bad timing interval."
				case c == 'c':
					o.count = int64(n)
				default:
					o.every = int64(n)
				}
				i = len(a)
			default:
				return fmt.Sprintf("illegal option -- %c", c)
			}
		}
	}
	if o.host == "" {
		return pingUsage
	}
	return ""
}

// resolve finds the address of a host: a number is its own.
func resolve(host string) (string, bool) {
	if host == "localhost" || host == hostName {
		return "127.0.0.1", true
	}
	parts := strings.Split(host, ".")
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 8); err != nil {
			return "", false
		}
	}
	return host, len(parts) == 4
}

// program is what ping does to the machine: its alarm is a timer of whole clock
// ticks.
func (o *pingOptions) program(tick clock.Duration) (*workload.Program, error) {
	b := &workload.Builder{}
	send := func() { b.Do(workload.Instr{Op: workload.Run, D: pingRun}) }
	round := func() {
		send()
		wait := workload.Instr{Op: workload.Sleep, Ticks: o.every * hz}
		if tick != clock.Second/hz { // a later kernel, with finer timers
			wait = workload.Instr{Op: workload.Sleep, D: clock.Duration(o.every) * clock.Second}
		}
		b.Do(wait)
	}
	if o.count == 0 {
		b.Repeat(-1, round)
	} else {
		b.Repeat(o.count-1, round)
		send()
	}
	return b.Program()
}

// Step implements console.Tool.
func (p *pingTool) Step(e *console.Env) console.Wait {
	w := p.proc.Step(e)
	if p.slept > p.seen || w.Done && w.Status == 0 {
		p.seen = p.slept
		p.reply(e)
	}
	if w.Done {
		p.end()
		if w.Status == 0 {
			p.summary(e)
		}
	}
	return w
}

func (p *pingTool) reply(e *console.Env) {
	d := network + p.wait
	if p.replies == 0 || d < p.min {
		p.min = d
	}
	p.max = max(p.max, d)
	p.sum += d
	p.replies++
	if !p.quiet {
		e.Printf("64 bytes from %s: icmp_seq=%d %s time=%s ms\n",
			p.address, (p.replies-1)%65536, console.Decorate("ttl=255"), millis(d))
	}
}

func (p *pingTool) summary(e *console.Env) {
	e.Printf("\n--- %s ping statistics ---\n", p.host)
	e.Printf("%d packets transmitted, %d packets received, %d%% packet loss\n", p.replies, p.replies, 0)
	if p.replies > 0 {
		e.Printf("round-trip min/avg/max = %s/%s/%s ms\n", millis(p.min), millis(p.sum/clock.Duration(p.replies)), millis(p.max))
	}
}

// millis is a time in milliseconds as ping writes it: tenths, cut.
func millis(d clock.Duration) string {
	t := int64(d) / int64(clock.Millisecond/10)
	return fmt.Sprintf("%d.%d", t/10, t%10)
}

// Interrupt implements console.Interrupted.
func (p *pingTool) Interrupt(e *console.Env) {
	p.end()
	p.summary(e)
}
