import { AppError, type JsonObject } from '../../base/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { POD } from '../../api/index.ts';

/** The pod of the sample that really runs. */
export const LEDGER = { namespace: 'shop', name: 'ledger' };

/**
 * Writes an entry ten times a second, unless it is told to hold: then it confirms that, and says so in its log. Nothing
 * in it needs more than a shell.
 */
const PROGRAM = `
entries=0 held=
while :; do
  if [ -e /data/hold ]; then
    [ -n "$held" ] || echo "frozen with $entries entries"
    held=yes
    touch /data/held
  else
    [ -z "$held" ] || echo "thawed with $entries entries"
    held=
    entries=$((entries + 1))
    echo "entry $entries" >>/data/ledger
  fi
  sleep 0.1
done`;
const FREEZE = 'touch /data/hold; until [ -e /data/held ]; do sleep 0.02; done';
const THAW = 'rm -f /data/hold /data/held';

/** Its hooks are in Velero's annotations, as users write them. */
export function ledgerSpec(): JsonObject {
  const { name } = LEDGER;
  const labels = { app: name };
  const command = (script: string): string => JSON.stringify(['sh', '-c', script]);
  const annotations = {
    'pre.hook.backup.velero.io/container': name,
    'pre.hook.backup.velero.io/command': command(FREEZE),
    'post.hook.backup.velero.io/container': name,
    'post.hook.backup.velero.io/command': command(THAW),
  };
  const container = {
    name,
    image: 'busybox:1',
    command: ['sh', '-c', PROGRAM],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  return {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels, annotations },
      spec: { terminationGracePeriodSeconds: 1, containers: [container], volumes: [{ name: 'data', emptyDir: {} }] },
    },
  };
}

/** What the pod itself says of the backup. */
export interface Freeze {
  pod: string;
  entries: number;
  seconds: number;
}

/** Reads in the pod's own log how long its hooks held it, and proves that nothing was written meanwhile. */
export async function readFreeze(kube: KubeClient, signal: AbortSignal): Promise<Freeze> {
  const { namespace, name } = LEDGER;
  const pod = await ledgerPod(kube, signal);
  let frozen: { entries: number; at: number } | undefined;
  for await (const { line, time } of kube.logs({ namespace, name: pod, container: name }, { follow: true, signal })) {
    const [, what, count = ''] = /^(frozen|thawed) with (\d+) entries$/.exec(line) ?? [];
    const at = Date.parse(time ?? '');
    if (what === 'frozen') frozen = { entries: Number(count), at };
    if (what !== 'thawed' || frozen === undefined) continue;
    if (Number(count) === frozen.entries) return { pod, entries: frozen.entries, seconds: (at - frozen.at) / 1000 };
    throw new AppError('bug', `${pod} went from ${frozen.entries} to ${count} entries while its hooks held it`);
  }
  throw new AppError('bug', `the log of ${pod} ended before it said that its hooks had run`);
}

async function ledgerPod(kube: KubeClient, signal: AbortSignal): Promise<string> {
  const { namespace, name } = LEDGER;
  for await (const { items } of kube.list({ type: POD, namespace }, { labelSelector: `app=${name}`, signal })) {
    for (const item of items) return item.metadata.name;
  }
  throw new AppError('notFound', `there is no pod of ${namespace}/${name}`);
}
