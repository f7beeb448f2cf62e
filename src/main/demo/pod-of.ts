import { POD } from '../../api/index.ts';
import { AppError } from '../../base/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';

const WITHIN_MS = 60_000;

/** The name of the pod of an application that the sample runs. */
export async function podOf(
  kube: KubeClient,
  { namespace, name }: { namespace: string; name: string },
  signal: AbortSignal,
): Promise<string> {
  for await (const { items } of kube.list({ type: POD, namespace }, { labelSelector: `app=${name}`, signal })) {
    for (const item of items) return item.metadata.name;
  }
  throw new AppError('notFound', `there is no pod of ${namespace}/${name}`);
}

/** What a script in that pod prints; it must succeed. */
export async function sayIn(
  kube: KubeClient,
  { namespace, name, script }: { namespace: string; name: string; script: string },
  signal: AbortSignal,
): Promise<string> {
  const said = { stdout: '', stderr: '' };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const hear = (from: 'stdout' | 'stderr') => (bytes: Uint8Array) => {
    said[from] += decoders[from].decode(bytes, { stream: true });
  };
  const pod = await podOf(kube, { namespace, name }, signal);
  const { exitCode } = await kube.exec(
    { namespace, name: pod, container: name },
    {
      command: ['sh', '-c', script],
      stdout: hear('stdout'),
      stderr: hear('stderr'),
      signal,
      deadlineMs: WITHIN_MS,
    },
  );
  if (exitCode === 0) return said.stdout.trim();
  throw new AppError('bug', `a command in pod ${namespace}/${pod} ended with ${exitCode}: ${said.stderr.trim()}`);
}
