package record

// LimitKept says how much of a file may be kept, for tests; four times as much may come
// out of it.
func (r *Reader) LimitKept(bytes int) { r.most = bytes }
