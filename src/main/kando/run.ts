import { toAppError } from '../../base/index.ts';
import { markerLine, parseKando, type KandoCommand } from '../../core/action/index.ts';
import type { KandoDeps } from './deps.ts';
import { drain } from './streams.ts';

/** Runs one command line and returns its exit code; it never throws. */
export async function runKando(args: readonly string[], deps: KandoDeps): Promise<number> {
  try {
    await run(parseKando(args), deps);
    return 0;
  } catch (error) {
    const failure = toAppError(deps.signal.aborted ? deps.signal.reason : error);
    deps.note(`kando: ${failure.message}`);
    return failure.facts.exitCode;
  }
}

async function run(command: KandoCommand, deps: KandoDeps): Promise<void> {
  switch (command.kind) {
    case 'help':
      await write(deps, `${command.text}\n`);
      return;
    case 'version':
      await write(deps, `kando of Headway ${deps.version}\n`);
      return;
    case 'output':
      await write(deps, markerLine(command.key, command.value));
      return;
    case 'push':
    case 'pull':
    case 'delete':
      // The store's library is large, and outputs are many.
      await (await import('./location.ts')).runLocation(command, deps);
  }
}

async function write({ output, signal }: KandoDeps, text: string): Promise<void> {
  await drain([Buffer.from(text)], output, signal);
}
