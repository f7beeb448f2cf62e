import { expect, it } from 'vitest';
import { logfmtLine, textAt, type JsonObject } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { printedLine, PrintedLines } from './printed-lines.ts';

const TIME = Date.parse('2026-01-01T00:00:00Z');
const line = (message: string, fields: JsonObject): string => `${logfmtLine(TIME, 'info', message, fields)}\n`;

/** A cluster in which this caller may read the logs of some namespaces. */
function clusterWith(...allowed: string[]) {
  const asked: KubeObject[] = [];
  const create: KubeClient['create'] = (_, object) => {
    asked.push(object);
    const namespace = textAt(object, 'spec', 'resourceAttributes', 'namespace') ?? '';
    return Promise.resolve({ ...object, status: { allowed: allowed.includes(namespace) } });
  };
  return { asked, kube: { create } as unknown as KubeClient };
}

async function read(kube: KubeClient, text: string, size: number): Promise<string[]> {
  const printed = new PrintedLines(kube);
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    for await (const each of printed.read(bytes.subarray(at, at + size))) found.push(printedLine(each));
  return found;
}

it.each([1, 7, 100_000])(
  'shows what programs printed where the caller may read logs, in pieces of %i bytes',
  async (size) => {
    const { kube, asked } = clusterWith('shop');
    const text = [
      line('action begins', { attempt: 1 }),
      line('output', { action: 'backup', phase: 'dump', namespace: 'shop', exec: 'db-0', line: 'token=äöü5 rest' }),
      line('output', { action: 'backup', phase: 'dump', namespace: 'bank', exec: 'db-0', line: 'not yours' }),
      'what is this\n',
      line('output', { action: 'backup', phase: 'push', namespace: 'shop', line: 'in a pod' }),
      line('output', { action: 'backup', phase: 'push', line: 'from nowhere' }),
    ].join('');
    const head = 'time="2026-01-01T00:00:00Z" level=info';
    expect(await read(kube, text, size)).toEqual([
      `${head} msg="token=*** rest" phase=dump action=backup exec=shop/db-0\n`,
      `${head} msg="in a pod" phase=push action=backup\n`,
    ]);
    // Once for each namespace, and as the question that kubectl logs would be.
    expect(asked).toHaveLength(3);
    expect(asked[0]?.['spec']).toEqual({
      resourceAttributes: { verb: 'get', resource: 'pods', subresource: 'log', namespace: 'shop' },
    });
  },
);
