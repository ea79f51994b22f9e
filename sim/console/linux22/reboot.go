package linux22

import (
	"slices"

	"strandscope/sim/console"
)

var reboot = console.Command{
	Name: "reboot", Synopsis: "reboot [-f]", Help: "boots the machine anew", Options: []string{"-f"},
	Man: `Everything that was started ends, and the machine's clock begins at zero. What a
boot starts by itself on the mail's box is not started again: nothing runs but what
you type. Files stay, but for those below /tmp.`,
	Start: func(e *console.Env, args []string) (console.Tool, int) {
		if len(args) > 0 && !slices.Equal(args, []string{"-f"}) {
			return nil, e.Usage("usage: reboot [-f]")
		}
		return e.Reboot("")
	},
}

var shutdown = console.Command{
	Name: "shutdown", Synopsis: "shutdown -r now", Help: "boots the machine anew; nothing else is modelled", Options: []string{"-r"},
	Man: "Only -r now, a reboot at once, is modelled: after another one there would be\nnothing left to see.",
	Start: func(e *console.Env, args []string) (console.Tool, int) {
		if !slices.Equal(args, []string{"-r", "now"}) {
			return nil, e.Usage("usage: shutdown -r now")
		}
		return e.Reboot("")
	},
}
