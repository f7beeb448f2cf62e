/**
 * `headway server` for bench/backup-restore.ts, with progress that reaches the cluster not at all or many times over, in
 * turns: `backup-restore-server.ts KUBECONFIG HOME TURNS`. What was created in each turn of a restore goes into the file
 * TURNS.
 */
import { appendFileSync } from 'node:fs';
import { isObject, textAt, type JsonObject } from '../src/base/index.ts';
import type { KubeClient, KubeObject } from '../src/edge/kube/index.ts';
import { PROGRESS, TIMES, TURN_MS, type Turn } from './backup-restore-turns.ts';
import { serveWrapped } from './real-load/wrapped-server.ts';

const [kubeconfig = '', home = '', turnsFile = ''] = process.argv.slice(2);

/** One restore, from its first object to its end. */
class Turns {
  readonly #done: Turn[] = [];
  readonly #timer: NodeJS.Timeout;
  #objects = 0;
  #writes = 0;
  #cpu = process.cpuUsage();
  #began = performance.now();

  constructor() {
    this.#timer = setInterval(() => {
      this.#end();
    }, TURN_MS);
  }

  get progress(): Turn['progress'] {
    return PROGRESS[this.#done.length % PROGRESS.length]!;
  }

  created(): void {
    this.#objects += 1;
  }

  wrote(): void {
    this.#writes += 1;
  }

  /** The turn that is under way has no end of its own, and is left out. */
  stop(): void {
    clearInterval(this.#timer);
    appendFileSync(turnsFile, `${JSON.stringify(this.#done)}\n`);
  }

  #end(): void {
    const { user, system } = process.cpuUsage(this.#cpu);
    const ms = performance.now() - this.#began;
    const cpuMs = (user + system) / 1000;
    this.#done.push({ progress: this.progress, objects: this.#objects, writes: this.#writes, ms, cpuMs });
    this.#objects = 0;
    this.#writes = 0;
    this.#cpu = process.cpuUsage();
    this.#began = performance.now();
  }
}

function isProgressOnly(status: unknown): status is JsonObject & { progress: JsonObject } {
  return isObject(status) && isObject(status['progress']) && textAt(status, 'phase') === undefined;
}

/** Answers for the API server: what it would have written is left out, so the next write is against what is there. */
function inTurns(kube: KubeClient): KubeClient {
  const written = new Map<string, KubeObject>();
  let turns: Turns | undefined;
  return {
    ...kube,
    createText: async (target, text, options) => {
      const created = await kube.createText(target, text, options);
      if (target.type.kind === 'ConfigMap' || target.type.kind === 'Secret') (turns ??= new Turns()).created();
      return created;
    },
    patch: async (target, patch, options) => {
      const id = `${target.type.plural}/${target.name}`;
      const { status } = patch.body as { status?: unknown };
      const known = written.get(id);
      if (turns?.progress === 'off' && isProgressOnly(status) && known !== undefined) return known;
      if (isObject(status) && textAt(status, 'completionTimestamp') !== undefined) {
        turns?.stop();
        turns = undefined;
      }
      let answer = await kube.patch(target, patch, options);
      if (isProgressOnly(status)) turns?.wrote();
      for (let time = 1; isProgressOnly(status) && turns?.progress === 'on' && time < TIMES; time += 1) {
        // All that it says, with something new in it: what is stored already, the server would not store again.
        const body = { status: { ...status, progress: { ...status.progress, etaSeconds: time } } };
        answer = await kube.patch(target, { kind: 'merge', body }, options);
        turns.wrote();
      }
      written.set(id, answer);
      return answer;
    },
  };
}

await serveWrapped({ kubeconfig, home }, inTurns);
