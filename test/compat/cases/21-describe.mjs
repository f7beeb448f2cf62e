export const title = 'describe, get and logs of the stock CLI say what they say with Velero';
export const namespaces = ['c21', 'c21-new'];

/** Without times, durations, ids, what Kubernetes is called, and Headway's own annotations. */
const plain = (text) =>
  text
    .replaceAll(/headway\.io\/\S+\n\s+/g, '')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} \S+/g, 'TIME')
    .replaceAll(/\bv?1\.\d+(\.\d+\S*)?/g, 'VERSION')
    .replaceAll(/velero.io\/source-cluster-k8s-(gitversion|m\w+-version)=\S+/g, 'velero.io/source-cluster-k8s-$1=…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')
    .replaceAll(/\d+ (items|seconds?)/g, 'N $1')
    .split('\n')
    .map((line) => line.trimEnd())
    // What there is to list differs between clusters; which kinds are listed is tried elsewhere.
    .filter((line) => !/Event|kube-root-ca|EndpointSlice|\/default(\(|$)/.test(line));

export async function run({ apply, makeNamespaces, backup, restore, v, k, until, configMap, secret, docs }) {
  await makeNamespaces('c21');
  await until('service account', async () => (await k('-n', 'c21', 'get', 'sa', 'default', '-o', 'name')) !== '');
  await apply(docs(configMap('c21', 'm', { app: 'x' }), secret('c21', 's', { app: 'x' })));
  const said = {};
  const say = async (name, ...args) => {
    const { code, out, err } = await v(...args);
    said[name] = [code, ...plain(out + err)];
  };
  const flags = ['--include-namespaces', 'c21', '--selector', 'app=x', '--ttl', '5h', '--labels', 'team=web'];
  const b = await backup('c21-b', ...flags, '--snapshot-volumes=false', '--ordered-resources', 'configmaps=c21/m');
  const r = await restore('c21-r', 'c21-b', '--namespace-mappings', 'c21:c21-new', '--labels', 'a=b');
  const w = await restore('c21-w', 'c21-b', '--exclude-resources', 'secrets');
  await say('backup', 'backup', 'describe', 'c21-b', '--details');
  await say('restore', 'restore', 'describe', 'c21-r', '--details');
  await say('again', 'restore', 'describe', 'c21-w');
  // A namespace that was there already is an item to us as any other; Velero does not count it.
  said.again = said.again.map((line) => String(line).replace(/(tems .*restored:\s+)\d+/, '$1N'));
  await v('schedule', 'create', 'c21-s', '--schedule', '0 3 1 1 *', '--include-namespaces', 'c21');
  await until('schedule enabled', async () =>
    (await k('-n', 'velero', 'get', 'schedule', 'c21-s', '-o', 'yaml')).includes('phase: Enabled'),
  );
  await say('schedule', 'schedule', 'describe', 'c21-s');
  const heads = {};
  for (const noun of ['backup', 'restore', 'schedule', 'backup-location']) {
    heads[noun] = (await v(noun, 'get')).out.split('\n')[0].split(/\s{2,}/);
  }
  const json = JSON.parse((await v('backup', 'describe', 'c21-b', '-o', 'json')).out);
  const logs = await v('restore', 'logs', 'c21-r');
  const none = [
    await v('backup', 'logs', 'c21-none'),
    await v('restore', 'describe', 'c21-none'),
    await v('restore', 'logs', 'c21-none'),
  ];
  const deleted = await v('restore', 'delete', 'c21-r', '--confirm');
  await until('the restore is gone', async () => (await v('restore', 'get', 'c21-r')).code !== 0);
  await v('schedule', 'delete', 'c21-s', '--confirm');
  return {
    phases: [b.phase, r.phase, w.phase],
    said,
    heads,
    json: [Object.keys(json).sort(), Object.keys(json.spec).sort(), Object.keys(json.status).sort()],
    logs: [logs.code, /level=info/.test(logs.out)],
    none: none.map(({ code, out, err }) => [code, (err || out).trim()]),
    deleted: deleted.code,
  };
}
