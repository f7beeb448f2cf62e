import { AppError, type JsonObject } from '../../base/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { fillOf, LEDGER } from './volumes.ts';
import { podOf } from './pod-of.ts';

/**
 * Writes an entry ten times a second, unless it is told to hold: then it confirms that, and says so in its log. Nothing
 * in it needs more than a shell. What holds it is beside the volume, or its copy would be held too.
 */
const PROGRAM = `
entries=$(cat /data/ledger 2>/dev/null | wc -l) held=
echo "begins with $entries entries"
while :; do
  if [ -e /tmp/hold ]; then
    [ -n "$held" ] || echo "frozen with $entries entries"
    held=yes
    touch /tmp/held
  else
    [ -z "$held" ] || echo "thawed with $entries entries"
    held=
    entries=$((entries + 1))
    echo "entry $entries" >>/data/ledger
  fi
  sleep 0.1
done`;
const FREEZE = 'touch /tmp/hold; until [ -e /tmp/held ]; do sleep 0.02; done';
const THAW = 'rm -f /tmp/hold /tmp/held';

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
  const mounted = { image: 'busybox:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  return {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels, annotations },
      spec: {
        terminationGracePeriodSeconds: 1,
        initContainers: [{ ...mounted, name: 'fill', command: ['sh', '-c', fillOf(LEDGER)] }],
        containers: [{ ...mounted, name, command: ['sh', '-c', PROGRAM] }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: LEDGER.claim } }],
      },
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
  let frozen: { entries: number; at: number } | undefined;
  const pod = await podOf(kube, LEDGER, signal);
  for await (const { what, entries, at } of readLog(kube, { namespace: LEDGER.namespace, pod }, signal)) {
    if (what === 'frozen') frozen = { entries, at };
    if (what !== 'thawed' || frozen === undefined) continue;
    if (entries === frozen.entries) return { pod, entries, seconds: (at - frozen.at) / 1000 };
    throw new AppError('bug', `${pod} went from ${frozen.entries} to ${entries} entries while its hooks held it`);
  }
  throw new AppError('bug', `the log of ${pod} ended before it said that its hooks had run`);
}

/** With how many entries the program of a namespace began. */
export async function readBeginning(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<number> {
  const pod = await podOf(kube, { namespace, name: LEDGER.name }, signal);
  for await (const { what, entries } of readLog(kube, { namespace, pod }, signal))
    if (what === 'begins') return entries;
  throw new AppError('bug', `the log of ${pod} does not say with what it began`);
}

async function* readLog(
  kube: KubeClient,
  { namespace, pod }: { namespace: string; pod: string },
  signal: AbortSignal,
): AsyncGenerator<{ what: string; entries: number; at: number }> {
  const target = { namespace, name: pod, container: LEDGER.name };
  for await (const { line, time } of kube.logs(target, { follow: true, signal })) {
    const [, what, count] = /^(begins|frozen|thawed) with (\d+) entries$/.exec(line) ?? [];
    if (what !== undefined) yield { what, entries: Number(count), at: Date.parse(time ?? '') };
  }
}
