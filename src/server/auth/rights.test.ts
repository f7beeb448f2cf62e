import { describe, expect, it } from 'vitest';
import { ACTION_SET, BACKUP } from '../../api/resource-types.ts';
import { textAt, type JsonObject } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import type { ClusterPort } from '../ports.ts';
import { askRights } from './rights.ts';

const cluster = {
  name: 'c',
  namespace: 'velero',
  namespaces: { velero: 'velero', migration: 'openshift-migration' },
} as unknown as ClusterPort;

/** A cluster that allows what the rule says, and counts what it was asked. */
function asked(may: (plural: string, namespace: string) => boolean, username = 'anna') {
  const questions: string[] = [];
  let atOnce = 0;
  let most = 0;
  const kube = {
    create: async (_target: unknown, object: KubeObject) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      const attributes = (object as { spec?: JsonObject }).spec?.['resourceAttributes'];
      const [plural = '', namespace = ''] = [textAt(attributes, 'resource'), textAt(attributes, 'namespace')];
      questions.push(`${textAt(attributes, 'verb') ?? ''} ${plural} ${namespace}`);
      return { ...object, status: { allowed: may(plural, namespace), userInfo: { username, groups: [] } } };
    },
  } as unknown as KubeClient;
  return { kube, questions, most: () => most };
}

describe('a user', () => {
  it('who may list action sets everywhere is asked about no namespace', async () => {
    const { kube, questions } = asked(() => true);
    const rights = await askRights(kube, cluster, ['shop', 'bank']);
    expect(rights.maySee(ACTION_SET, 'anywhere')).toBe(true);
    expect(questions.filter((each) => each.includes('actionsets'))).toEqual(['list actionsets ', 'watch actionsets ']);
    expect(rights).not.toHaveProperty('asked');
  });

  it('who may not is asked about those where there are some, and sees no other', async () => {
    const { kube } = asked((plural, namespace) => plural === 'actionsets' && namespace === 'shop');
    const rights = await askRights(kube, cluster, ['shop', 'bank']);
    expect([rights.maySee(ACTION_SET, 'shop'), rights.maySee(ACTION_SET, 'bank')]).toEqual([true, false]);
    expect([rights.maySee(BACKUP, 'velero'), rights.seesOperations]).toEqual([false, true]);
    expect([...(rights.asked ?? [])]).toEqual(['shop', 'bank']);
  });

  it('who is a service account is asked about its own namespace too, before anything is there', async () => {
    const { kube } = asked((_, namespace) => namespace === 'shop', 'system:serviceaccount:shop:viewer');
    expect((await askRights(kube, cluster, [])).maySee(ACTION_SET, 'shop')).toBe(true);
  });

  it('is asked about a bounded number of namespaces, a few at a time', async () => {
    const { kube, questions, most } = asked(() => false);
    const places = Array.from({ length: 3000 }, (_, at) => `team-${String(at)}`);
    const rights = await askRights(kube, cluster, places);
    expect(rights.seesOperations).toBe(false);
    expect(questions.filter((each) => each.includes('team-'))).toHaveLength(500);
    expect(most()).toBeLessThan(40);
    // There is no use in asking again for every one that is new.
    expect(rights).not.toHaveProperty('asked');
  });
});
