package record

// kept is a file that is read when all of it is there. The page reads none: what unpacks
// them would make its program larger, so they are refused with what converts them.
type kept struct{}

func newKept(*Reader, []byte) *kept { return nil }

func (*kept) feed([]byte) error { return errRefused }

func (*kept) close() error { return errRefused }
