/** Where Go's strict base64 reader stops, in its words; undefined when the text is good. Line breaks are skipped. */
export function base64Error(text: string): string | undefined {
  const stop = text.search(/[^A-Za-z0-9+/\r\n]/);
  const end = stop < 0 ? text.length : stop;
  const digits = text.slice(0, end).replace(/[\r\n]/g, '').length;
  const over = digits % 4;
  const bad = (index: number): string => `illegal base64 data at input byte ${index}`;
  if (stop < 0) return over === 0 ? undefined : bad(text.length - over);
  if (text[stop] !== '=' || over < 2) return bad(stop);
  return paddingError(text, stop, over, bad);
}

function paddingError(text: string, stop: number, over: number, bad: (index: number) => string): string | undefined {
  const significant = Array.from(text.slice(stop).matchAll(/[^\r\n]/g), (match) => ({
    char: match[0],
    index: stop + match.index,
  }));
  const wanted = 4 - over;
  for (let index = 0; index < wanted; index++) {
    const next = significant[index];
    if (!next) return bad(text.length);
    if (next.char !== '=') return bad(next.index);
  }
  const extra = significant[wanted];
  return extra ? bad(extra.index) : undefined;
}
