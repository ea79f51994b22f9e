package scenario

import _ "embed" // texts: an embed.FS brings the interfaces of file systems with it

// The built-in scenarios' texts. Each is a variable of its own, for the page's sake:
// what an embed.FS keeps in the program (io/fs, and time's zones and formats) weighs
// more than the scenarios do.
var (
	//go:embed library/t2000-unset.json
	t2000UnsetJSON string
	//go:embed library/t2000-ts.json
	t2000TsJSON string
	//go:embed library/t2000-fss.json
	t2000FssJSON string
	//go:embed library/t2000-perl-fork.json
	t2000PerlForkJSON string
	//go:embed library/t2000-fx.json
	t2000FxJSON string
	//go:embed library/t2000-ia.json
	t2000IaJSON string
	//go:embed library/t2000-rt-starves.json
	t2000RtStarvesJSON string
	//go:embed library/t2000-oltp.json
	t2000OltpJSON string
	//go:embed library/cmt-8-spread-vs-packed.json
	cmt8SpreadVsPackedJSON string
	//go:embed library/strand-offline.json
	strandOfflineJSON string
	//go:embed library/ts-lone-hog.json
	tsLoneHogJSON string
	//go:embed library/ts-nice-ladder.json
	tsNiceLadderJSON string
	//go:embed library/fss-1-3.json
	fss13JSON string
	//go:embed library/fss-psets.json
	fssPsetsJSON string
	//go:embed library/fss-share-change.json
	fssShareChangeJSON string
	//go:embed library/ia-focus.json
	iaFocusJSON string
	//go:embed library/linux22-250-hogs.json
	linux22250HogsJSON string
	//go:embed library/linux22-ping-under-load.json
	linux22PingUnderLoadJSON string
	//go:embed library/linux22-typing.json
	linux22TypingJSON string
	//go:embed library/linux22-nice19.json
	linux22Nice19JSON string
	//go:embed library/linux22-recalculation.json
	linux22RecalculationJSON string
	//go:embed library/linux22-chat.json
	linux22ChatJSON string
	//go:embed library/linux22-rr-does-not-rotate.json
	linux22RrDoesNotRotateJSON string
	//go:embed library/linux22-fork-poverty.json
	linux22ForkPovertyJSON string
	//go:embed library/linux227-250-hogs.json
	linux227250HogsJSON string
	//go:embed library/t2000.json
	t2000JSON string
	//go:embed library/linux22.json
	linux22JSON string
	//go:embed library/textbook-rr.json
	textbookRrJSON string
	//go:embed library/textbook-convoy.json
	textbookConvoyJSON string
	//go:embed library/textbook-sjf.json
	textbookSjfJSON string
	//go:embed library/textbook-srtf.json
	textbookSrtfJSON string
	//go:embed library/textbook-hrrn.json
	textbookHrrnJSON string
	//go:embed library/textbook-prio.json
	textbookPrioJSON string
	//go:embed library/textbook-mlfq.json
	textbookMlfqJSON string
	//go:embed library/textbook-mlfq-gaming.json
	textbookMlfqGamingJSON string
	//go:embed library/textbook-lottery.json
	textbookLotteryJSON string
	//go:embed library/textbook-stride.json
	textbookStrideJSON string
	//go:embed library/textbook-multi.json
	textbookMultiJSON string
	//go:embed library/textbook-rm.json
	textbookRmJSON string
	//go:embed library/textbook-edf.json
	textbookEdfJSON string
)

// builtin is a scenario's id and its text.
type builtin struct{ id, text string }

// builtins are the built-in scenarios in the order shown to users: those of kernels up
// to 2.2, of later ones, and of textbook policies.
var builtins = append(append(kernelScenarios, laterScenarios...), bookScenarios...)

var kernelScenarios = []builtin{
	{"t2000-unset", t2000UnsetJSON},
	{"t2000-ts", t2000TsJSON},
	{"t2000-fss", t2000FssJSON},
	{"t2000-perl-fork", t2000PerlForkJSON},
	{"t2000-fx", t2000FxJSON},
	{"t2000-ia", t2000IaJSON},
	{"t2000-rt-starves", t2000RtStarvesJSON},
	{"t2000-oltp", t2000OltpJSON},
	{"cmt-8-spread-vs-packed", cmt8SpreadVsPackedJSON},
	{"strand-offline", strandOfflineJSON},
	{"ts-lone-hog", tsLoneHogJSON},
	{"ts-nice-ladder", tsNiceLadderJSON},
	{"fss-1-3", fss13JSON},
	{"fss-psets", fssPsetsJSON},
	{"fss-share-change", fssShareChangeJSON},
	{"ia-focus", iaFocusJSON},
	{"linux22-250-hogs", linux22250HogsJSON},
	{"linux22-ping-under-load", linux22PingUnderLoadJSON},
	{"linux22-typing", linux22TypingJSON},
	{"linux22-nice19", linux22Nice19JSON},
	{"linux22-recalculation", linux22RecalculationJSON},
	{"linux22-chat", linux22ChatJSON},
	{"linux22-rr-does-not-rotate", linux22RrDoesNotRotateJSON},
	{"linux22-fork-poverty", linux22ForkPovertyJSON},
	{"linux227-250-hogs", linux227250HogsJSON},
	{"t2000", t2000JSON},
	{"linux22", linux22JSON},
}

var bookScenarios = []builtin{
	{"textbook-rr", textbookRrJSON},
	{"textbook-convoy", textbookConvoyJSON},
	{"textbook-sjf", textbookSjfJSON},
	{"textbook-srtf", textbookSrtfJSON},
	{"textbook-hrrn", textbookHrrnJSON},
	{"textbook-prio", textbookPrioJSON},
	{"textbook-mlfq", textbookMlfqJSON},
	{"textbook-mlfq-gaming", textbookMlfqGamingJSON},
	{"textbook-lottery", textbookLotteryJSON},
	{"textbook-stride", textbookStrideJSON},
	{"textbook-multi", textbookMultiJSON},
	{"textbook-rm", textbookRmJSON},
	{"textbook-edf", textbookEdfJSON},
}
