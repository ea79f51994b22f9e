//go:build !js

package record

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// unpacker unpacks data that have a size when they are unpacked, at most mostChunk.
type unpacker func(b []byte, size int) ([]byte, error)

var errUnpacked = errors.New("the size is not what the file says")

// unpackerOf is that of a compression by trace-cmd's name, nil: none such.
func unpackerOf(name string) unpacker {
	switch name {
	case "zstd":
		return newZstd()
	case "zlib":
		return unpackZlib
	}
	return nil
}

func newZstd() unpacker {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostChunk))
	if err != nil {
		return nil
	}
	var out []byte
	return func(b []byte, size int) ([]byte, error) {
		var h zstd.Header
		if err := h.Decode(b); err != nil {
			return nil, err
		}
		// What the frame says is allocated before anything is unpacked.
		if h.HasFCS && h.FrameContentSize != uint64(size) {
			return nil, errUnpacked
		}
		var err error
		out, err = z.DecodeAll(b, out[:0])
		return out, err
	}
}

func unpackZlib(b []byte, size int) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, int64(size)+1))
}
