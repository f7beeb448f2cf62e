import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../../test/any-text.ts';
import { FakeClock } from '../../test/fake-clock.ts';
import { fuzzRuns } from '../../test/fuzz-runs.ts';
import { AppError } from '../base/index.ts';
import type { CliDeps } from './ports.ts';
import { Printer } from './print/printer.ts';
import { helpTexts, runCli } from './run.ts';

/** Every word that the program knows, and what users add. */
const HELP = helpTexts().map(({ help }) => help);
const WORDS = [...new Set(HELP.flatMap((help) => help.match(/(?<=\s)--?[a-z-]+|\b[a-z]{3,}\b/g) ?? []))];
const away = (): Promise<never> => Promise.reject(new AppError('unreachable', 'there is nothing here'));

async function run(args: readonly string[]): Promise<{ code: number; printed: string }> {
  let printed = '';
  const print = (text: string): void => void (printed += text);
  const deps: CliDeps = {
    ...{ version: '1.2.3', nodeVersion: '24.0.0', programName: 'headway' },
    output: new Printer({ out: print, err: print, isTerminal: false, columns: 80 }),
    signal: new AbortController().signal,
    clock: new FakeClock(Date.UTC(2026, 0, 1)),
    ...{ cluster: away, connect: away, server: away, readFile: away, confirm: away, pocket: away, demo: away },
    ...{ serve: away, installer: away, mover: away, previewActions: away },
    download: () => {
      throw new AppError('unreachable', 'there is nothing here');
    },
  };
  return { code: await runCli(args, deps), printed };
}

it('ends with an exit code that is documented, and prints no stack, whatever it is given', async () => {
  const word = fc.oneof(
    fc.constantFrom(...WORDS),
    fc.constantFrom('x', 'a=b', '-o', 'json', '--', '5'),
    anyText({ maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (args) => {
      const { code, printed } = await run(args);
      expect([0, 1, 2, 3, 4, 5, 130]).toContain(code);
      expect(printed).not.toMatch(/^ {4}at |This is a bug/m);
      expect(printed).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u);
    }),
    { numRuns: fuzzRuns(100) },
  );
});
