// An address with ?embed=1 is of the compact view, a document of its own: there is
// nothing in it that an embedded figure must not have.
'use strict';
if (new URLSearchParams(location.search).get('embed') === '1') location.replace(`web/embed.html${location.search}${location.hash}`);
