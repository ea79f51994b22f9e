// Package e2e drives the page in a real browser:
//
//	go test -tags browser ./web/e2e
//
// It has make build the program if that is missing or older than the sources,
// serves the page as `strandsim serve` does on a free port of 127.0.0.1 and waits on
// the page's own signal (strandscope.settled), never on time. Screenshots go to
// build/screenshots. Most tests do with half as many device pixels each way, since without
// a graphics card a browser's time goes by pixels; E2E_SHARP=1 shows pages as a reader sees
// them, E2E_ALL=1 also asks for every picture and for every link in a page of its own.
//
// The browser is $CHROMIUM, or the first found of chromium, chromium-browser and
// google-chrome, and for tests that share one chromium-headless-shell where that is
// installed; without one the tests fail.
//
// A smoke run in Firefox speaks Marionette to firefox-esr or firefox, one in WebKitGTK
// WebDriver to WebKitWebDriver and MiniBrowser (Debian: webkit2gtk-driver). What has a
// window needs Xvfb (Debian: xvfb, and libegl1 and libgles2 for its pictures). Where one of
// them is missing, that test is skipped and says which.
package e2e
