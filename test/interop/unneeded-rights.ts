import { tmpdir } from 'node:os';
import { isAppError, NO_LOG } from '../../src/base/index.ts';
import { createKubeClient, loadConnection, type KubeClient } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { grant, may } from './access-review.ts';
import { nameOf, onlyBy, rightsIn } from './access-rules.ts';
import type { Access } from './audit-log.ts';

interface Judged {
  manifest: string;
  kubeconfig: string;
  /** An administrator. */
  kube: KubeClient;
  /** Who has the rights, and all that it did. */
  user: string;
  done: readonly Access[];
}

/**
 * For each right, a user who has all the others: the API server must refuse them something that was really done. What
 * restores need besides is judged together with the rest, the rest by itself.
 */
export async function unneededRights({ manifest, kubeconfig, kube, user, done }: Judged): Promise<string[]> {
  // Those of actions have a test of their own, since pods have to run there; the others must do without them.
  const rights = rightsIn(manifest).filter(({ role }) => role !== 'headway-actions');
  const toBackUp = rights.filter(({ role }) => role !== 'headway-restore');
  const judged = await Promise.all(
    rights.map(async (right, index) => {
      const all = toBackUp.includes(right) ? toBackUp : rights;
      const lesser = `without-${String(index)}`;
      await grant(
        kube,
        lesser,
        all.filter((other) => other !== right),
      );
      const attempt = ATTEMPTS[`${right.verb} ${right.resource}`];
      const isNeeded =
        attempt === undefined
          ? await isDeedRefused({ kube, user, lesser, deed: onlyBy(right, all, done) })
          : await isAttemptRefused(attempt, { kubeconfig, user, lesser, done });
      return isNeeded ? [] : [nameOf(right)];
    }),
  );
  return judged.flat();
}

async function isDeedRefused(asked: {
  kube: KubeClient;
  user: string;
  lesser: string;
  deed: Access | undefined;
}): Promise<boolean> {
  const { kube, user, lesser, deed } = asked;
  if (deed === undefined || !(await may(kube, user, deed))) return false;
  return !(await may(kube, lesser, deed));
}

interface Attempt {
  /** Something of the kind was done. */
  resource: string;
  act: (kube: KubeClient) => Promise<unknown>;
}

/** Rights that the API server asks for when it looks into a request, which its own record does not show. */
const ATTEMPTS: Readonly<Record<string, Attempt | undefined>> = {
  'escalate roles': creating('Role', { rules: [{ apiGroups: [''], resources: ['services'], verbs: ['delete'] }] }),
  'escalate clusterroles': creating('ClusterRole', {
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['delete'] }],
  }),
  'bind roles': creating('RoleBinding', binding('Role', 'cleaner')),
  'bind clusterroles': creating('ClusterRoleBinding', binding('ClusterRole', 'shop-cleaner')),
  'create pods/exec': {
    resource: 'pods',
    act: (kube) => kube.exec({ namespace: 'hooks', name: 'db' }, { command: ['true'], deadlineMs: 10_000 }),
  },
};

function binding(kind: string, name: string): object {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    roleRef: { apiGroup, kind, name },
    subjects: [{ kind: 'ServiceAccount', name: 'cleaner', namespace: 'shop' }],
  };
}

function creating(kind: string, more: object): Attempt {
  const group = 'rbac.authorization.k8s.io';
  const at = kind.startsWith('Cluster') ? {} : { namespace: 'shop' };
  const resource = `${kind.toLowerCase()}s`;
  const type = { group, version: 'v1', kind, plural: resource, namespaced: 'namespace' in at };
  const object = { apiVersion: `${group}/v1`, kind, metadata: { name: 'tried', ...at }, ...more };
  return { resource, act: (kube) => kube.create({ type, ...at }, object, { dryRun: true }) };
}

async function isAttemptRefused(
  { resource, act }: Attempt,
  { kubeconfig, user, lesser, done }: { kubeconfig: string; user: string; lesser: string; done: readonly Access[] },
): Promise<boolean> {
  if (!done.some((deed) => deed.resource === resource && deed.verb !== 'list')) return false;
  return !(await isForbidden(act, kubeconfig, user)) && (await isForbidden(act, kubeconfig, lesser));
}

async function isForbidden(act: Attempt['act'], kubeconfig: string, user: string): Promise<boolean> {
  const connection = await loadConnection({ clock: systemClock, env: {}, homeDir: tmpdir() }, { kubeconfig });
  const as = { ...connection, headers: { 'Impersonate-User': user } };
  const kube = createKubeClient(
    { clock: systemClock, log: NO_LOG, random: Math.random, userAgent: 'headway-test' },
    as,
  );
  try {
    await act(kube);
    return false;
  } catch (error) {
    // Any other failure came after it was allowed, such as a node that cannot be reached.
    return isAppError(error, 'forbidden');
  } finally {
    await kube.close();
  }
}
