import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../base/index.ts';
import { yamlToJson, type ReadYaml } from './yaml-to-json.ts';

/** Shorter texts are parsed instantly, and starting a thread would take longer. */
const SHORT = 8 * 1024;
const DEADLINE_MS = 30_000;
/** Several times what is needed, because a thread that exceeds it can end the whole process. */
const MAX_HEAP_MB = 1024;

/**
 * Reads user-written texts, in their order; one that cannot be read does not affect the others. A megabyte of YAML
 * takes seconds and hundreds of megabytes of memory, or runs forever if it is hostile, so a thread does it.
 */
export async function readYaml(texts: readonly string[], signal: AbortSignal): Promise<ReadYaml[]> {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const json = length <= SHORT ? yamlToJson(texts) : await inTurn(() => inThread(texts, signal), signal);
  return JSON.parse(json) as ReadYaml[];
}

/** One thread at a time: together they would take more memory than there is. */
let turn: Promise<unknown> = Promise.resolve();

async function inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  const before = turn;
  const { promise: over, resolve: end } = Promise.withResolvers<undefined>();
  turn = before.then(() => over);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => {
    reject(signal.reason);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([before, aborted]);
    return await work();
  } finally {
    signal.removeEventListener('abort', giveUp);
    end(undefined);
  }
}

async function inThread(texts: readonly string[], signal: AbortSignal): Promise<string> {
  const late = AbortSignal.timeout(DEADLINE_MS);
  const worker = new Worker(new URL(`./yaml-worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: texts,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const [json] = (await once(worker, 'message', { signal: AbortSignal.any([signal, late]) })) as [string];
    return json;
  } catch (error) {
    signal.throwIfAborted();
    const problem = late.aborted ? `it takes longer than ${DEADLINE_MS / 1000} s to read` : messageOf(error);
    return JSON.stringify(texts.map((): ReadYaml => ({ problem })));
  } finally {
    await worker.terminate();
  }
}
