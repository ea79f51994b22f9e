package console

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/syntax"
)

// The grammar is our own, and a well-kept parser says whether it is right: what
// ours reads, that one reads to the same commands, words and operators.

var lines = []string{
	"", "  ", "# only a comment", "vmstat 3 3", "echo a;echo b", "echo a ; echo b ;", "sleep 5 &", "a & b & c",
	"a && b || c", "! a", "time sleep 3", "a | b | c", "a |\nb", "a &&\nb",
	"echo 'a b' \"c d\" e\\ f", `echo "a \"b\" \$c \x"`, "echo a'b'\"c\"d", "echo ''", `echo ""`, "echo a#b # comment",
	"x=1", "x=1 y='2 3' echo $x", "x=", "echo $x ${x} $? $! $$ $# $1 \"$x y\"",
	"for i in 1 2 3; do echo $i; done", "for i in a b\ndo\necho $i\ndone", "for p in $(pgrep perl); do renice 19 $p; done",
	"while true; do sleep 1; done", "until false; do sleep 1; done", "while [ $i -lt 250 ]; do ./loop & i=$((i+1)); done",
	"if a; then b; fi", "if a; then b; else c; fi", "if a; then b; elif c; then d; else e; fi",
	"{ a; b; }", "(a; b)", "(a) | b", "{ a; } > f", "(a; b) 2>&1 | grep c",
	"a > f", "a >> f 2>&1", "a < f", "a 2>/dev/null", "a >f 2>&1 &", "echo `pgrep loop`", "echo $(echo $(echo x))",
	"perl -e 'while (--$ARGV[0] and fork) {}; while () {}' 32 &", "echo {1..5}", "echo $((1 + 2 * (3)))",
	"kill %1", "echo for in do done", "echo a=b", "echo if", "a;\nb", "a\n\n\nb", "echo a\\\nb", "grep -c 'x|y'", "echo $",
	"priocntl -s -c FX -m 30 -p 20 -i pid 1204", "dispadmin -c TS -g > /tmp/ts", "ps -e -o pid,class,pri,args | grep perl | head -5",
}

func TestLinesAreReadAsAWellKeptParserReadsThem(t *testing.T) {
	for _, line := range lines {
		ours, err := parse(line)
		require.NoError(t, err, line)
		theirs, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
		require.NoError(t, err, line)
		assert.Equal(t, shownTheirs(theirs.Stmts), shown(ours), line)
	}
}

func TestWhatIsNotUnderstoodIsRefusedInASentence(t *testing.T) {
	for _, c := range []struct{ line, message string }{
		{"echo )", "unexpected token `)'"},
		{"a | | b", "unexpected token `|'"},
		{"; a", "unexpected token `;'"},
		{"a ;; b", "unexpected token `;;'"},
		{"&& a", "unexpected token `&&'"},
		{"done", "unexpected token `done'"},
		{"for 1 in a; do b; done", "unexpected token `1'"},
		{"if a; fi", "unexpected token `fi'"},
		{"while do a; done", "unexpected token `do'"},
		{"( )", "unexpected token `)'"},
		{"{ }", "unexpected token `}'"},
		{"echo ${x:-y}", "bad substitution"},
		{"cat <<EOF", "here-documents"},
		{"case a in esac", "case is not understood"},
		{"function f { a; }", "function is not understood"},
		{"f() { a; }", "functions are not understood"},
		{"a >", "unexpected token `newline'"},
		{"a >&x", "unexpected token `&'"},
		{"echo `a (`", "unexpected token"},
		{strings.Repeat("(", 100) + "a" + strings.Repeat(")", 100), "nested more than"},
		{"a" + strings.Repeat("|a", 100), "a pipeline of"},
	} {
		_, err := parse(c.line)
		require.Error(t, err, c.line)
		assert.Contains(t, err.Error(), c.message, c.line)
	}
}

func TestALineThatGoesOnSaysSo(t *testing.T) {
	for _, line := range []string{
		"echo 'a", `echo "a`, "a |", "a &&", "a ||", "for i in 1 2", "for i in 1 2; do", "while true", "if a; then b", "(a", "{ a;", "echo $(a", "echo `a", "echo ${x", "echo $((1", `a \`,
	} {
		_, err := parse(line)
		assert.ErrorIs(t, err, errIncomplete, line)
	}
}

func FuzzParse(f *testing.F) {
	for _, l := range lines {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, line string) {
		ours, err := parse(line)
		if err != nil || strings.ContainsAny(line, "{}[]~*?=!\x00\r") || strings.Contains(line, "((") || strings.Contains(line, "time") || !ascii(line) {
			return // what follows is about words that both take alike
		}
		theirs, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(line), "")
		if err != nil {
			return // there is more that it finds wrong
		}
		assert.Equal(t, shownTheirs(theirs.Stmts), shown(ours), line)
	})
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 126 || r < ' ' && r != '\n' && r != '\t' }) < 0
}

// shown writes a tree of ours in one notation, print one of theirs.
func shown(n node) string {
	switch n := n.(type) {
	case nil:
		return ""
	case *list:
		var all []string
		for _, it := range n.items {
			s := shown(it.cmd)
			if it.background {
				s += " &"
			}
			all = append(all, s)
		}
		return strings.Join(all, "; ")
	case *andOr:
		s := shown(n.first)
		for _, b := range n.rest {
			op := " && "
			if b.or {
				op = " || "
			}
			s = "[" + s + op + shown(b.cmd) + "]"
		}
		return s
	case *pipeline:
		s := shown(n.stages[0])
		for _, x := range n.stages[1:] {
			s = "[" + s + " | " + shown(x) + "]"
		}
		if n.timed {
			s = "time " + s
		}
		if n.not {
			s = "! " + s
		}
		return s
	case *forLoop:
		return "for " + n.name + " in" + words(n.words) + " do " + shown(n.body)
	case *whileLoop:
		if n.until {
			return "until " + shown(n.cond) + " do " + shown(n.body)
		}
		return "while " + shown(n.cond) + " do " + shown(n.body)
	case *ifClause:
		return "if " + shown(n.cond) + " then " + shown(n.then) + " else " + shown(n.otherwise)
	case *group:
		if n.sub {
			return "(" + shown(n.body) + ")" + redirects(n.redirs)
		}
		return "{" + shown(n.body) + "}" + redirects(n.redirs)
	case *simple:
		s := "cmd"
		for _, a := range n.assigns {
			s += " " + a.name + "=" + oneWord(a.value)
		}
		return s + words(n.words) + redirects(n.redirs)
	}
	return "?"
}

func words(ws []word) (s string) {
	for _, w := range ws {
		s += " " + oneWord(w)
	}
	return s
}

func oneWord(w word) string {
	s := ""
	for _, p := range w.parts {
		q := ""
		if p.quoted && p.kind != literal {
			q = "\""
		}
		switch p.kind {
		case literal:
			s += p.text
		case variable:
			s += q + "${" + p.text + "}" + q
		case substitution:
			s += q + "$(" + shown(p.body) + ")" + q
		case arithmetic:
			s += q + "$((" + strings.Join(strings.Fields(p.text), "") + "))" + q
		case braces:
			s += "{" + p.text + "}"
		}
	}
	return "<" + s + ">"
}

func redirects(rs []redirect) (s string) {
	for _, r := range rs {
		op := map[bool]string{true: "<", false: ">"}[r.in]
		if r.append {
			op = ">>"
		}
		s += " " + string(rune('0'+r.fd)) + op
		if r.to > 0 {
			s += "&" + string(rune('0'+r.to))
		} else {
			s += oneWord(r.file)
		}
	}
	return s
}

func shownTheirs(stmts []*syntax.Stmt) string {
	var all []string
	for _, s := range stmts {
		all = append(all, printStmt(s))
	}
	return strings.Join(all, "; ")
}

func printStmt(s *syntax.Stmt) string {
	text := ""
	switch c := s.Cmd.(type) {
	case nil:
		text = "cmd"
	case *syntax.CallExpr:
		text = "cmd"
		for _, a := range c.Assigns {
			text += " " + a.Name.Value + "=" + printWord(a.Value)
		}
		for _, w := range c.Args {
			text += " " + printWord(w)
		}
	case *syntax.BinaryCmd:
		text = "[" + printStmt(c.X) + " " + c.Op.String() + " " + printStmt(c.Y) + "]"
	case *syntax.TimeClause:
		text = "time " + printStmt(c.Stmt)
	case *syntax.Block:
		text = "{" + shownTheirs(c.Stmts) + "}"
	case *syntax.Subshell:
		text = "(" + shownTheirs(c.Stmts) + ")"
	case *syntax.IfClause:
		text = printIf(c)
	case *syntax.WhileClause:
		word := "while "
		if c.Until {
			word = "until "
		}
		text = word + shownTheirs(c.Cond) + " do " + shownTheirs(c.Do)
	case *syntax.ForClause:
		it, ok := c.Loop.(*syntax.WordIter)
		if !ok {
			return "?"
		}
		text = "for " + it.Name.Value + " in"
		for _, w := range it.Items {
			text += " " + printWord(w)
		}
		text += " do " + shownTheirs(c.Do)
	default:
		text = "?"
	}
	for _, r := range s.Redirs {
		fd := map[syntax.RedirOperator]string{syntax.RdrIn: "0"}[r.Op]
		if fd == "" {
			fd = "1"
		}
		if r.N != nil {
			fd = r.N.Value
		}
		switch r.Op {
		case syntax.RdrOut, syntax.RdrIn, syntax.AppOut:
			text += " " + fd + r.Op.String() + printWord(r.Word)
		case syntax.DplOut:
			text += " " + fd + ">&" + r.Word.Lit()
		default:
			text += " ?"
		}
	}
	if s.Negated {
		text = "! " + text
	}
	if s.Background {
		text += " &"
	}
	return text
}

func printIf(c *syntax.IfClause) string {
	if c.Cond == nil { // else
		return shownTheirs(c.Then)
	}
	text := "if " + shownTheirs(c.Cond) + " then " + shownTheirs(c.Then) + " else "
	if c.Else != nil {
		text += printIf(c.Else)
	}
	return text
}

func printWord(w *syntax.Word) string {
	if w == nil {
		return "<>"
	}
	return "<" + printParts(w.Parts, "") + ">"
}

func printParts(parts []syntax.WordPart, q string) (s string) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			s += unescape(p.Value, q != "")
		case *syntax.SglQuoted:
			s += p.Value
		case *syntax.DblQuoted:
			s += printParts(p.Parts, "\"")
		case *syntax.ParamExp:
			s += q + "${" + p.Param.Value + "}" + q
		case *syntax.CmdSubst:
			s += q + "$(" + shownTheirs(p.Stmts) + ")" + q
		case *syntax.ArithmExp:
			s += q + "$((" + printArithm(p.X) + "))" + q
		default:
			s += "?"
		}
	}
	return s
}

// unescape takes the backslashes out that their parser leaves in.
func unescape(text string, quoted bool) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("$`\"\\\n", text[i+1]) >= 0) {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func printArithm(x syntax.ArithmExpr) string {
	switch x := x.(type) {
	case *syntax.Word:
		return printParts(x.Parts, "")
	case *syntax.BinaryArithm:
		return printArithm(x.X) + x.Op.String() + printArithm(x.Y)
	case *syntax.ParenArithm:
		return "(" + printArithm(x.X) + ")"
	case *syntax.UnaryArithm:
		return x.Op.String() + printArithm(x.X)
	}
	return "?"
}
