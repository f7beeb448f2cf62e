import type { ResourceType } from '../../../api/index.ts';
import { isAppError, type JsonObject } from '../../../base/index.ts';
import type { Kube } from '../../../edge/kube/index.ts';

/**
 * The time of the API server's clock, taken from a dry-run create of something that we may create there. Undefined if the
 * server does not say, such as one that refuses dry runs.
 */
export async function serverTime(
  kube: Pick<Kube, 'create'>,
  { type, namespace, fields }: { type: ResourceType; namespace: string; fields: JsonObject },
  signal: AbortSignal,
): Promise<number | undefined> {
  const { group, version, kind } = type;
  const probe = {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { name: 'what-time-is-it', namespace },
    ...fields,
  };
  try {
    const made = await kube.create({ type, namespace }, probe, { signal, dryRun: true });
    const time = Date.parse(made.metadata.creationTimestamp ?? '');
    return Number.isNaN(time) ? undefined : time;
  } catch (error) {
    if (isAppError(error) && error.facts.family !== 'transient') return undefined;
    throw error;
  }
}
