import { byteLength, byteSlice, joinText, toBytes } from '../value/go-text.ts';
import type { Run } from '../value/value.ts';

const MARK = '...';
const SPACE = 32;

/** With dots in place of what does not fit; from `offset` on, in front too. Widths are bytes. */
export function abbreviate(content: string, offset: number, width: number): string {
  const length = byteLength(content);
  if (content === '' || width < 4) return '';
  if (length <= width) return content;
  const start = length - Math.min(offset, length) < width - 3 ? length - (width - 3) : Math.min(offset, length);
  if (start <= 4) return byteSlice(content, 0, width - 3) + MARK;
  if (width < 7) return '';
  if (start + width - 3 < length) return MARK + abbreviate(byteSlice(content, start, length), 0, width - 3);
  return MARK + byteSlice(content, length - (width - 3), length);
}

interface WrapOptions {
  width: number;
  /** A line feed if empty. */
  separator?: string;
  cutsWords?: boolean;
}

/** Breaks lines at spaces, and inside words that are too long if they may be cut. Widths are bytes. */
export function wrapText(run: Run, content: string, { width, separator = '', cutsWords = false }: WrapOptions): string {
  const bytes = toBytes(content);
  const columns = Math.max(1, width);
  const between = separator === '' ? '\n' : separator;
  run.spend(((bytes.length / columns) * between.length) / 16);
  const lines: string[] = [];
  const line = (start: number, end: number): void => {
    lines.push(byteSlice(content, start, end));
  };
  let at = 0;
  while (bytes.length - at > columns) {
    if (bytes[at] === SPACE) {
      at += 1;
      continue;
    }
    const space = bytes.lastIndexOf(SPACE, at + columns);
    if (space >= at) {
      line(at, space);
      at = space + 1;
    } else if (cutsWords) {
      line(at, at + columns);
      at += columns;
    } else {
      const next = bytes.indexOf(SPACE, at + columns);
      if (next < 0) {
        lines.push(byteSlice(content, at, bytes.length));
        return joinText(lines, between);
      }
      line(at, next);
      at = next + 1;
    }
  }
  return joinText([...lines, byteSlice(content, at, bytes.length)], between);
}
