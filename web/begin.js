// The stage begins before the scripts that wait for the whole page. Where the address is a
// link it has to be read first: which of the two programs is fetched depends on it
// (web/link.js).
'use strict';
{
  const stage = document.getElementById('stage');
  if (stage.dataset.src && !/^#\d/.test(location.hash)) stage.src = stage.dataset.src;
}
