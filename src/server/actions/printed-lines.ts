import { StringDecoder } from 'node:string_decoder';
import { PRINTED, readLogfmt, type LogfmtLine } from '../../base/index.ts';
import { mayI } from '../auth/rights.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { setLine } from './log-line.ts';

/** A line of a log that is not ours to bound. */
const MAX_REST = 64 * 1024;

/**
 * What programs of the user printed, as the log of the operation has it. A namespace's lines are for those who may read
 * the logs of its pods, which the cluster is asked with the caller's own rights, once for each namespace.
 */
export class PrintedLines {
  readonly #kube: KubeClient;
  readonly #allowed = new Map<string, Promise<boolean>>();
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(kube: KubeClient) {
    this.#kube = kube;
  }

  /** The lines in the next piece of the log; those without an end come with the piece that has it. */
  async *read(piece: Uint8Array): AsyncGenerator<LogfmtLine> {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(piece))).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, MAX_REST);
    for (const line of lines) {
      const read = readLogfmt(line);
      if (read?.message !== PRINTED || read.fields['line'] === undefined) continue;
      if (await this.#isAllowed(read.fields['namespace'] ?? '')) yield read;
    }
  }

  #isAllowed(namespace: string): Promise<boolean> {
    const asked =
      this.#allowed.get(namespace) ??
      mayI(this.#kube, { resourceAttributes: { verb: 'get', resource: 'pods', subresource: 'log', namespace } });
    this.#allowed.set(namespace, asked);
    return asked;
  }
}

/** As the log of the set shows it, with secrets masked. */
export function printedLine({ time, fields }: LogfmtLine): string {
  const { namespace = '', exec, line = '', phase, action } = fields;
  return setLine(time, 'info', line, {
    phase: phase === undefined ? undefined : { name: phase, action: action ?? '' },
    exec: exec === undefined ? undefined : `${namespace}/${exec}`,
  });
}
