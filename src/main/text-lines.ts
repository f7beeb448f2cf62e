import { AppError } from '../base/index.ts';

/** The results of the biggest backup are one line; whoever sends more than this without an end means no good. */
const MAX_LINE = 64 * 1024 * 1024;

/** Lines of UTF-8 text as they come; the last one also without its newline. */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  { maxLine = MAX_LINE }: { maxLine?: number } = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // In pieces: to look through a long line again with every one that comes would take ever longer.
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > maxLine) throw new AppError('tooLarge', `read lines: one has more than ${maxLine} characters`);
    const last = others.pop();
    if (last === undefined) continue;
    yield begun.join('');
    yield* others;
    begun = [last];
    length = last.length;
  }
  const rest = begun.join('') + decoder.decode();
  if (rest !== '') yield rest;
}
