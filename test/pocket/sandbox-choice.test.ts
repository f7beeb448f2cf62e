import { describe, expect, it } from 'vitest';
import { Api } from '../contract/api.ts';
import { isOver, isReady, log, path, podOf, sh, start, waiting } from '../contract/cases/pods/objects.ts';
import { talk } from '../contract/streams.ts';
import { NO_USER_NAMESPACES, OVERLAID_DISK, startPods, whyNoOrdinaryUser } from './pods-process.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const ordinary = whyNoOrdinaryUser();

async function conditionOf(api: Api): Promise<unknown> {
  const { body } = await api.get('/api/v1/nodes/pocket');
  const { conditions } = (body as { status: { conditions: { type: string; status: string; reason: string }[] } })
    .status;
  const { status, reason } = conditions.find(({ type }) => type === 'PodSandboxReady')!;
  return [status, reason];
}

const skipped = (name: string, reason: string | undefined) =>
  reason === undefined ? name : `${name} (skipped: ${reason})`;

describe('how pods run on a machine', { timeout: 60_000 }, () => {
  it.skipIf(ordinary !== undefined)(
    skipped('as plain processes where namespaces are forbidden', ordinary),
    async () => {
      await using server = await startPods({ asNobody: isRoot, around: NO_USER_NAMESPACES });
      expect(server.pods).toMatch(/^plain processes, .*unshare failed/);
      await using api = new Api(server.endpoint);
      expect(await conditionOf(api)).toEqual(['False', 'NoNamespaces']);
      const stage = { api, namespace: 'default' };
      const volumes = [{ name: 'v', emptyDir: {} }];
      const mounted = { volumeMounts: [{ name: 'v', mountPath: '/data' }] };
      await start(stage, podOf(sh('echo kept >/data/f; cat /data/f', mounted), { volumes }), isOver);
      expect(await log(stage)).toBe('kept\n');
    },
  );

  const noDisk = isRoot ? undefined : 'another disk needs root';
  it.skipIf(noDisk !== undefined)(
    skipped('with changes in memory where the disk cannot hold them', noDisk),
    async () => {
      await using server = await startPods({ around: OVERLAID_DISK });
      expect(server.pods).toContain('kept in memory');
      await using api = new Api(server.endpoint);
      expect(await conditionOf(api)).toEqual(['True', 'Namespaces']);
      const stage = { api, namespace: 'default' };
      await start(stage, podOf(waiting()), isReady);
      const command = ['sh', '-c', 'echo changed >/usr/changed && cat /usr/changed'];
      expect(await talk(api, path(stage, 'p', 'exec'), { command })).toMatchObject({ stdout: 'changed\n' });
    },
  );

  it.skipIf(process.platform !== 'linux')('in namespaces wherever they can be had', async () => {
    await using server = await startPods();
    await using api = new Api(server.endpoint);
    expect(await conditionOf(api)).toEqual(['True', isRoot ? 'Namespaces' : 'UserNamespaces']);
  });
});
