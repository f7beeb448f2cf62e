import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';
import { cleanText } from '../base/index.ts';

/** Undefined when input is no terminal: a script cannot be asked. */
export async function confirm(
  question: string,
  { input, output, signal }: { input: ReadStream; output: NodeJS.WritableStream; signal: AbortSignal },
): Promise<boolean | undefined> {
  if (!input.isTTY) return undefined;
  // Without line editing the terminal itself turns Ctrl-C into a signal.
  const terminal = createInterface({ input, output, terminal: false });
  try {
    return /^y(es)?$/i.test((await terminal.question(cleanText(question, Infinity), { signal })).trim());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    terminal.close();
  }
}
