package record_test

import (
	"archive/tar"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/record"
	"strandscope/sim/record/recordtest"
)

// recording is a recording whose name has a part, unpacked.
func recording(t testing.TB, part string) string {
	t.Helper()
	files, err := recordtest.Files(2)
	require.NoError(t, err)
	for _, f := range files {
		if strings.Contains(filepath.Base(f), part) {
			text, err := recordtest.Read(f)
			require.NoError(t, err)
			return string(text)
		}
	}
	t.Fatalf("no recording %s", part)
	return ""
}

// same compares all of two recordings but their files.
func same(t *testing.T, want, have *record.Trace) {
	t.Helper()
	require.Equal(t, want.Len(), have.Len())
	for i := range want.Len() {
		require.Equal(t, want.At(i), have.At(i))
	}
	assert.Equal(t, want.Threads, have.Threads)
	assert.Equal(t, want.CPUs, have.CPUs)
	assert.Equal(t, want.Base, have.Base)
	assert.Equal(t, want.Runner, have.Runner)
	assert.Equal(t, want.Events, have.Events)
	assert.Empty(t, have.Notes.List)
}

func TestVersion7OfTraceDatHasTheRecordsOfVersion6(t *testing.T) {
	six, err := read(t, recording(t, "trace_6.1_v6.dat"))
	require.NoError(t, err)
	seven, err := read(t, recording(t, "trace_6.1_v7_zstd.dat"))
	require.NoError(t, err)
	require.Equal(t, 1227, six.Len())
	same(t, six, seven)
}

// members are the files of a tar archive.
func members(t testing.TB, archive string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for r := tar.NewReader(strings.NewReader(archive)); ; {
		h, err := r.Next()
		if err == io.EOF { //nolint:errorlint // as it is documented
			return all
		}
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		all[h.Name] = b
	}
}

// archive makes a tar archive.
func archive(t testing.TB, members map[string][]byte) string {
	t.Helper()
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(members[name])), Format: tar.FormatUSTAR}))
		_, err := w.Write(members[name])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String()
}

// The events of a collection, and when the first and the last was, are those that a walk
// over its pages by fixed places finds.
func TestASchedVizCollectionCountsAsItsPagesDo(t *testing.T) {
	text := recording(t, "schedviz")
	var (
		pages       = members(t, text)["traces/cpu0"]
		names       = map[uint16]string{297: "sched_switch", 298: "sched_wakeup_new", 299: "sched_wakeup"}
		n           = map[string]int64{}
		states      = map[record.State]int{}
		first, last uint64
	)
	for ; len(pages) > 0; pages = pages[4096:] {
		at, end := binary.LittleEndian.Uint64(pages), 16+int(binary.LittleEndian.Uint16(pages[8:]))
		for i := 16; i < end; {
			word := binary.LittleEndian.Uint32(pages[i:])
			i += 4
			kind, delta := word&31, uint64(word>>5)
			if kind == 30 { // a longer time
				at += uint64(binary.LittleEndian.Uint32(pages[i:]))<<27 + delta
				i += 4
				continue
			}
			if kind == 29 { // padding up to the end
				break
			}
			require.True(t, kind > 0 && kind < 29)
			at += delta
			event := pages[i : i+int(kind)*4]
			name := names[binary.LittleEndian.Uint16(event)]
			require.NotEmpty(t, name)
			n[name]++
			if name == "sched_switch" {
				states[map[uint64]record.State{0: record.Runnable, 1: record.Sleeping, 2: record.Disk, 64: record.Dead, 4096: record.Preempted}[binary.LittleEndian.Uint64(event[32:])]]++
			}
			if first == 0 {
				first = at
			}
			last = at
			i += int(kind) * 4
		}
	}
	tr, err := read(t, text)
	require.NoError(t, err)
	assert.Equal(t, "SchedViz collection", tr.Format)
	assert.Equal(t, 1, tr.CPUs)
	assert.Empty(t, tr.Notes.List)
	require.Len(t, n, 3)
	assert.Greater(t, n["sched_switch"], int64(10_000))
	for name, count := range n {
		assert.Equal(t, count, tr.Count(name), name)
	}
	assert.Equal(t, int64(first), tr.Base)
	assert.Equal(t, int64(last-first), tr.End())
	have := map[record.State]int{}
	for i := range tr.Len() {
		if x := tr.At(i); x.Kind == record.Switch {
			have[x.State]++
		}
	}
	assert.Equal(t, states, have)
}

// orders are both orders of bytes.
type orders interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// seven makes a file of version 7 of a collection's formats and pages.
func seven(t testing.TB, how string, order orders, m map[string][]byte, chunk int) string {
	t.Helper()
	packed := func(b []byte) []byte {
		var out bytes.Buffer
		z := zlib.NewWriter(&out)
		_, err := z.Write(b)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return append(order.AppendUint32(order.AppendUint32(nil, uint32(out.Len())), uint32(len(b))), out.Bytes()...)
	}
	big := byte(0)
	if order.Uint16([]byte{0, 1}) == 1 {
		big = 1
	}
	f := append([]byte("\x17\x08\x44tracing7\x00"), big, 8)
	f = append(order.AppendUint32(f, 4096), how+"\x00 1\x00"...)
	start := len(f)
	f = order.AppendUint64(f, 0)
	section := func(id uint16, b []byte) (at uint64) {
		flags := uint16(0)
		if id != 0 && how != "none" {
			flags, b = 1, packed(b)
		}
		at = uint64(len(f))
		f = order.AppendUint32(order.AppendUint16(order.AppendUint16(f, id), flags), 0)
		f = append(order.AppendUint64(f, uint64(len(b))), b...)
		return at
	}
	option := func(b []byte, id uint16, data []byte) []byte {
		return append(order.AppendUint32(order.AppendUint16(b, id), uint32(len(data))), data...)
	}
	var formats []byte
	count := uint32(0)
	for name, text := range m {
		if strings.HasSuffix(name, "/format") {
			count++
			formats = append(order.AppendUint64(formats, uint64(len(text))), text...)
		}
	}
	formats = append(order.AppendUint32(append(order.AppendUint32(nil, 1), "sched\x00"...), count), formats...)
	page := append([]byte("header_page\x00"), order.AppendUint64(nil, uint64(len(m["formats/header_page"])))...)
	list := option(nil, 16, order.AppendUint64(nil, section(16, append(page, m["formats/header_page"]...))))
	list = option(list, 18, order.AppendUint64(nil, section(18, formats)))

	at := uint64(len(f))
	flags := uint16(1)
	if how == "none" {
		flags = 0
	}
	f = order.AppendUint64(order.AppendUint32(order.AppendUint16(order.AppendUint16(f, 3), flags), 0), 0)
	from, size := len(f), 0
	if b := m["traces/cpu0"]; how == "none" {
		f = append(f, b...)
		size = len(b)
	} else {
		f = order.AppendUint32(f, uint32((len(b)+chunk-1)/chunk))
		for len(b) > 0 {
			n := min(chunk, len(b))
			f = append(f, packed(b[:n])...)
			b = b[n:]
		}
		size = len(f) - from - 4
	}
	buffer := append(order.AppendUint64(nil, at), "\x00local\x00"...)
	buffer = order.AppendUint32(order.AppendUint32(order.AppendUint32(buffer, 4096), 1), 0)
	buffer = order.AppendUint64(order.AppendUint64(buffer, uint64(from)), uint64(size))
	more := option(option(nil, 3, buffer), 0, order.AppendUint64(nil, 0))
	list = option(list, 0, order.AppendUint64(nil, section(0, more)))
	last := section(0, list)
	order.PutUint64(f[start:], last)
	return string(f)
}

// Other compressions, pages in pieces of any size, and both orders of bytes.
func TestVersion7IsReadHoweverItIsPacked(t *testing.T) {
	text := recording(t, "schedviz")
	m := members(t, text)
	want, err := read(t, text)
	require.NoError(t, err)
	for _, chunk := range []int{40960, 1000, 1 << 20} {
		have, err := read(t, seven(t, "zlib", binary.LittleEndian, m, chunk))
		require.NoError(t, err)
		same(t, want, have)
	}
	have, err := read(t, seven(t, "none", binary.LittleEndian, m, 0))
	require.NoError(t, err)
	same(t, want, have)

	for _, order := range []orders{binary.LittleEndian, binary.BigEndian} {
		m["traces/cpu0"] = onePage(order)
		for name, file := range map[string]string{"tar": archive(t, m), "zlib": seven(t, "zlib", order, m, 100), "none": seven(t, "none", order, m, 0)} {
			tr, err := read(t, file)
			require.NoError(t, err, "%s %s", name, order)
			require.Equal(t, 1, tr.Len())
			assert.Equal(t, int64(1_000_007), tr.Base)
			assert.Equal(t, record.Disk, tr.At(0).State)
			assert.Equal(t, "other", tr.Threads[1].Name)
			assert.Empty(t, tr.Notes.List)
		}
	}
}

// onePage is a page with one switch of the collection's format.
func onePage(order orders) []byte {
	const length, delta = 16, 7 // in words of 4 bytes; ns
	word := uint32(delta<<5 | length)
	if order.Uint16([]byte{0, 1}) == 1 {
		word = length<<27 | delta
	}
	b := order.AppendUint64(order.AppendUint64(nil, 1_000_000), 4+4*length)
	b = order.AppendUint32(b, word)
	b = order.AppendUint32(append(order.AppendUint16(b, 297), 0, 0), 1)
	b = append(b, "one\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	b = order.AppendUint64(order.AppendUint32(order.AppendUint32(b, 1), 120), 2)
	b = append(b, "other\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	b = order.AppendUint32(order.AppendUint32(b, 2), 120)
	return append(b, make([]byte, 4096-len(b))...)
}

func TestCutAndDamagedFilesSayWhatIsAmiss(t *testing.T) {
	dat, collection := recording(t, "trace_6.1_v7_zstd.dat"), recording(t, "schedviz")
	m := members(t, collection)
	plain := seven(t, "none", binary.LittleEndian, m, 0)
	swap := func(text string, at int, with string) string { return text[:at] + with + text[at+len(with):] }
	pages := strings.Index(collection, "traces/cpu0") + 512
	without := func(part string) string {
		some := map[string][]byte{}
		for name, b := range m {
			if !strings.Contains(name, part) {
				some[name] = b
			}
		}
		return archive(t, some)
	}
	for name, x := range map[string]struct{ text, want string }{
		"head":        {dat[:20], "version 7 that is cut or damaged: its head at byte 0 cannot be read"},
		"page":        {swap(dat, 14, "\x00\x00\x00\x01"), "its head at byte 0 cannot be read"},
		"compression": {swap(dat, 18, "lzma"), `it is a file of trace-cmd that is compressed with "lzma" (want zstd, zlib or none); ` + "`trace-cmd convert"},
		"options":     {dat[:4349], "its options at byte 4349 cannot be read"},
		"half":        {dat[:12000], "its options at byte 24943 cannot be read"},
		"formats":     {swap(dat, 0x82a+40, "\x00\x00\x00\x00\x00\x00\x00\x00"), "its formats of events at byte 2090 cannot be read"},
		"size":        {swap(dat, 0x82a+20, "\xff\xff\xff\xff"), "its formats of events at byte 2090 cannot be read"},
		"version":     {swap(dat, 10, "8"), "it is a file of trace-cmd of version 8; `trace-cmd convert"},
		"no traces":   {without("traces/"), "it is a tar archive, but no SchedViz collection"},
		"no formats":  {without("/format"), "it is a tar archive, but no SchedViz collection"},
		"no page":     {without("header_page"), "it is a SchedViz collection whose formats/header_page cannot be read"},
		"cut formats": {collection[:1000], "it is a tar archive, but no SchedViz collection"},
	} {
		_, err := read(t, x.text)
		require.ErrorContains(t, err, x.want, name)
	}
	for name, x := range map[string]struct{ text, want string }{
		"chunk":      {swap(dat, 8192+4+8+3449+8, "\x00\x00\x00\x00\x00\x00\x00\x00"), "the compressed pages of CPU 0 are damaged; what came before is read"},
		"count":      {swap(dat, 8192, "\xff"), "the file ends within the pages of CPU 0; what came before is read"},
		"collection": {collection[:pages+100_000], "the archive is cut or damaged; what came before is read"},
		"header":     {swap(collection, pages+1_654_784, strings.Repeat("x", 512)), "the archive is cut or damaged; what came before is read"},
	} {
		tr, err := read(t, x.text)
		require.NoError(t, err, name)
		assert.Contains(t, strings.Join(tr.Notes.Text("f"), "\n"), x.want, name)
		assert.Positive(t, tr.Len())
	}
	for i := 0; i < len(dat); i += 97 {
		for _, text := range []string{dat[:i], swap(dat, i, "\xff"), swap(dat, i, "\x00")} {
			if tr, err := read(t, text); err == nil {
				assert.LessOrEqual(t, tr.Len(), 1300)
			} else {
				assert.NotEmpty(t, err.Error())
			}
		}
	}
	_, err := read(t, plain)
	require.NoError(t, err)
}

// What must be kept has a limit, and what is unpacked has.
func TestWhatIsKeptOfAFileIsBounded(t *testing.T) {
	limited := func(text string, limit int) error {
		r := record.NewReader()
		r.LimitKept(limit)
		for len(text) > 0 {
			n := min(len(text), 4096)
			if err := r.Feed([]byte(text[:n])); err != nil {
				return err
			}
			text = text[n:]
		}
		_, err := r.Close()
		return err
	}
	dat, collection := recording(t, "trace_6.1_v7_zstd.dat"), recording(t, "schedviz")
	require.NoError(t, limited(dat, len(dat)))
	require.ErrorContains(t, limited(dat, len(dat)-1), "it is a file of trace-cmd of version 7 that has more than 0 MB; `trace-cmd convert")
	require.ErrorContains(t, limited(collection, 1<<20), "it is a tar archive of more than 1 MB")
	packed := seven(t, "zlib", binary.LittleEndian, members(t, collection), 40960)
	require.Less(t, len(packed), 300_000)
	require.ErrorContains(t, limited(packed, 300_000), "that has more than 1 MB when it is unpacked")
}
