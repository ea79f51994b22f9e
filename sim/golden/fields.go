package golden

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Fields is a CSV row by column name. Asking for a missing or wrong field is
// remembered and ends the row.
type Fields struct {
	values map[string]string
	Err    error // the first difference
}

// Has reports whether there is such a column.
func (f *Fields) Has(name string) bool {
	_, ok := f.values[name]
	return ok
}

// Text is the field of a column.
func (f *Fields) Text(name string) string {
	v, ok := f.values[name]
	if !ok && f.Err == nil {
		f.Err = fmt.Errorf("no column %q", name)
	}
	return v
}

// Int is the field of a column as a number.
func (f *Fields) Int(name string) int64 {
	v, err := strconv.ParseInt(f.Text(name), 10, 64)
	if err != nil && f.Err == nil {
		f.Err = fmt.Errorf("column %s: %w", name, err)
	}
	return v
}

// Uint is the field of a column as a number without sign.
func (f *Fields) Uint(name string) uint64 {
	v, err := strconv.ParseUint(f.Text(name), 10, 64)
	if err != nil && f.Err == nil {
		f.Err = fmt.Errorf("column %s: %w", name, err)
	}
	return v
}

// Same compares the recorded field with the model's figure.
func (f *Fields) Same(name string, model any) {
	if got := fmt.Sprint(model); f.Text(name) != got && f.Err == nil {
		f.Err = fmt.Errorf("%s: recorded %s, model %s", name, f.values[name], got)
	}
}

// EachRow calls check for every row of a CSV file and returns their number.
func EachRow(c *csv.Reader, check func(f *Fields)) (int, error) {
	names, err := c.Read()
	if err != nil {
		return 0, err
	}
	for n := 1; ; n++ {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return n - 1, nil
		}
		if err != nil {
			return n - 1, err
		}
		f := Fields{values: make(map[string]string, len(names))}
		for i, name := range names {
			f.values[name] = rec[i]
		}
		if check(&f); f.Err != nil {
			return n, fmt.Errorf("line %d: %w", n+1, f.Err)
		}
	}
}
