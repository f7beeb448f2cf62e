import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { POD } from '../../../api/index.ts';
import type { DeleteOptions, NamedTarget } from '../../../edge/kube/index.ts';
import type { PodDiagnosis } from '../diagnosis/index.ts';
import { removePod } from './remove-pod.ts';
import { Verdict } from './verdict.ts';

const diagnosis = (outlook: PodDiagnosis['outlook'], cause = 'no'): PodDiagnosis => ({
  reason: 'Some',
  cause,
  hint: '',
  outlook,
});

describe('Verdict', () => {
  it('gives up what has been hopeless for 8 s, with its newest words', () => {
    const verdict = new Verdict();
    verdict.judge(diagnosis('hopeless'), 0);
    verdict.judge(diagnosis('hopeless', 'still no'), 7_999);
    expect(() => {
      verdict.judge(diagnosis('hopeless', 'never'), 8_000);
    }).toThrow('never');
  });

  it.each([diagnosis('open'), undefined])('begins anew when there was hope in between', (hope) => {
    const verdict = new Verdict();
    verdict.judge(diagnosis('hopeless'), 0);
    verdict.judge(hope, 5_000);
    verdict.judge(diagnosis('hopeless'), 6_000);
    verdict.judge(diagnosis('hopeless'), 13_999);
    expect(() => {
      verdict.judge(diagnosis('hopeless'), 14_000);
    }).toThrow('no');
  });
});

it('deletes this very pod only, whoever has its name by now', async () => {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const asked: unknown[] = [];
  const remove = cluster.delete.bind(cluster);
  const kube = Object.assign(cluster, {
    delete: (target: NamedTarget, options: DeleteOptions = {}) => {
      asked.push(options.preconditions);
      return remove(target, options);
    },
  });
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'shop' } };
  const pod = await cluster.create({ type: POD, namespace: 'shop' }, object);
  expect(await removePod(pod, { kube, clock }, { signal: new AbortController().signal })).toBe(true);
  expect(asked).toEqual([{ uid: pod.metadata.uid }]);
});
