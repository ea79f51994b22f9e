//go:build !browser

package main

import (
	"context"
	"errors"
)

var errNoBrowser = errors.New("bench was built without the tag browser")

func (w *work) chromium(context.Context) error { return errNoBrowser }

func (w *work) page(context.Context) error { return errNoBrowser }
