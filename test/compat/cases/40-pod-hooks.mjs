export const title = 'hooks that cannot run are errors, also where the work goes on, and nothing waits for ever';
export const namespaces = ['c40', 'c40-b'];
const never = 'nodeSelector: {no: such}, containers: [{name: c, image: "none/none:1"}]';
const pod = (ns, name, notes, labels = '') =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: ${ns}, labels: {${labels}}, annotations: {${notes}}}\nspec: {${never}}`;
export async function run({ apply, makeNamespaces, backup, waitFor, v, wipe, k, until, kjson, configMap }) {
  await makeNamespaces('c40', 'c40-b');
  for (const ns of ['c40', 'c40-b'])
    await until('sa', async () => (await k('-n', ns, 'get', 'sa', 'default', '-o', 'name')) !== '');
  await apply(
    pod(
      'c40',
      'cont',
      'pre.hook.backup.velero.io/command: date, pre.hook.backup.velero.io/on-error: Continue, post.hook.backup.velero.io/command: date, post.hook.backup.velero.io/on-error: Continue',
    ),
  );
  await apply(configMap('c40', 'm'));
  await apply(
    pod('c40-b', 'post', 'post.hook.restore.velero.io/command: date, post.hook.restore.velero.io/wait-timeout: 2s'),
  );
  await apply(
    pod(
      'c40-b',
      'postfail',
      'post.hook.restore.velero.io/command: date, post.hook.restore.velero.io/wait-timeout: 2s, post.hook.restore.velero.io/on-error: Fail',
    ),
  );
  await apply(pod('c40-b', 'spec', 'a: b', 'app: x'));
  const b = await backup('c40-cont', '--include-namespaces', 'c40');
  const bs = (await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c40-cont')).status.hookStatus;
  const spec = {
    includedNamespaces: ['c40-b'],
    hooks: {
      resources: [
        {
          name: 'h',
          labelSelector: { matchLabels: { app: 'x' } },
          pre: [{ exec: { command: ['date'], onError: 'Continue', timeout: '3s' } }],
          post: [{ exec: { command: ['date'], onError: 'Continue' } }],
        },
      ],
    },
  };
  await apply(
    JSON.stringify({
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: { name: 'c40-spec', namespace: 'velero' },
      spec,
    }),
  );
  const s = (await waitFor('backups', 'c40-spec')).status;
  await wipe('c40-b');
  const rspec = {
    backupName: 'c40-spec',
    hooks: {
      resources: [
        {
          name: 'h',
          labelSelector: { matchLabels: { app: 'x' } },
          postHooks: [{ exec: { command: ['date'], waitTimeout: '2s' } }],
        },
      ],
    },
  };
  await apply(
    JSON.stringify({
      apiVersion: 'velero.io/v1',
      kind: 'Restore',
      metadata: { name: 'c40-r', namespace: 'velero' },
      spec: rspec,
    }),
  );
  const r = (await waitFor('restores', 'c40-r')).status;
  return {
    b: [b.phase, b.errors, b.warnings, b.list],
    bs,
    s: [s.phase, s.errors, s.hookStatus],
    r: [r.phase, r.errors, r.hookStatus],
  };
}
