// What only the page's fuller program has: kernels after Linux 2.2, and the scenarios that
// need them. Made of the library by go test ./web/static -update.
'use strict';
window.strandscopeLater = {
  kernels: ['linux-2.6.22', 'linux-2.6.24', 'linux-6.1', 'linux-6.12', 'linux-6.18'],
  scenarios: [
    { value: 'hogs-through-the-ages', label: 'Linux through the ages · 250 hogs on 4 CPUs', help: 'Re: [patch] new scheduler (linux-kernel mailing list), Ingo Molnar, 10 May 1999' },
    { value: 'ping-under-load-through-the-ages', label: 'Linux through the ages · a ping beside 250 hogs', help: 'Measured on Debian\'s kernels 6.1.176 and 6.12.95, 250 hogs on 4 CPUs, November 2026' },
    { value: 'nice-means-what', label: 'Linux through the ages · what nice means', help: 'Measured on Debian\'s kernels 6.1.176, 6.12.95 and 6.18.15, eight hogs on one CPU, November 2026' },
    { value: 'eevdf-slices', label: 'Linux through the ages · EEVDF: a shorter slice, a sooner turn', help: 'Earliest Eligible Virtual Deadline First (Old Dominion University, TR-95-22), Ion Stoica, Hussein Abdel-Wahab, November 1995' },
    { value: 'o1-interactivity', label: 'Linux through the ages · O(1): who sleeps is interactive', help: 'The kernel\'s own functions of 2.6.22.6, run with two hogs and ten sleepers, recorded in November 2026' },
  ],
};
