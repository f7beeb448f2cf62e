import { type BuildOptions, buildPart } from './build-part.ts';
import { cacheDirectory } from './cache.ts';
import type { Part } from './parts.ts';

interface BuildResult {
  part: Part;
  outcome: 'built' | 'cached' | 'failed';
  elapsedMs: number;
  error?: unknown;
}

interface BuildAllOptions extends Omit<BuildOptions, 'cache' | 'onWait'> {
  print: (line: string) => void;
  cache?: string;
}

const HEARTBEAT_MS = 15_000;

/** Builds the parts one after the other; a part that fails does not stop the next. */
export async function buildAll(parts: readonly Part[], options: BuildAllOptions): Promise<BuildResult[]> {
  const cache = options.cache ?? cacheDirectory();
  const results: BuildResult[] = [];
  for (const [index, part] of parts.entries()) {
    options.signal.throwIfAborted();
    const title = `[${index + 1}/${parts.length}] ${part.name} ${part.version}`;
    results.push(await buildOne(part, title, { ...options, cache }));
  }
  return results;
}

async function buildOne(part: Part, title: string, options: BuildAllOptions & BuildOptions): Promise<BuildResult> {
  const started = Date.now();
  const elapsed = () => Date.now() - started;
  const beat = setInterval(() => {
    options.print(`${title}: building, ${seconds(elapsed())}`);
  }, HEARTBEAT_MS);
  try {
    const onWait = (pid: string) => {
      options.print(`${title}: waiting for process ${pid}, which is building it`);
    };
    const outcome = await buildPart(part, { ...options, onWait });
    options.print(`${title}: ${outcome}${outcome === 'built' ? ` in ${seconds(elapsed())}` : ''}`);
    return { part, outcome, elapsedMs: elapsed() };
  } catch (error) {
    options.signal.throwIfAborted();
    options.print(`${title}: failed after ${seconds(elapsed())}`);
    return { part, outcome: 'failed', elapsedMs: elapsed(), error };
  } finally {
    clearInterval(beat);
  }
}

/** The table at the end, one line per part. */
export function buildTable(results: readonly BuildResult[]): string[] {
  const width = Math.max(...results.map(({ part }) => part.name.length));
  return results.map(({ part, outcome, elapsedMs }) => {
    const took = outcome === 'cached' ? '-' : seconds(elapsedMs);
    return `${part.name.padEnd(width)}  ${part.version.padEnd(8)}  ${outcome.padEnd(6)}  ${took.padStart(8)}`;
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
