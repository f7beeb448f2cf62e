import { CONFIG_MAP, type Restore } from '../../../../api/index.ts';
import { isAppError, type Clock } from '../../../../base/index.ts';
import { parseResourceModifiers, strategicMerge, type ParsedModifiers } from '../../../../core/restore/index.ts';
import type { KubeClient } from '../../../../edge/kube/index.ts';
import { inSlices, readYaml } from '../../../operation/index.ts';
import { readObject } from '../../../runtime/objects/index.ts';

export interface ModifierSource {
  kube: KubeClient;
  namespace: string;
  clock: Clock;
  signal: AbortSignal;
}

/** For the rules of one ConfigMap; the largest allowed one takes less than a second. */
const LIMIT_MS = 30_000;

/** The changes that a restore's ConfigMap asks for; undefined if it names none, or one that does not exist. */
export async function readModifiers(
  spec: Restore['spec'],
  source: ModifierSource,
): Promise<ParsedModifiers | undefined> {
  const { kube, namespace, clock, signal } = source;
  if (spec.resourceModifier === undefined) return undefined;
  const target = { type: CONFIG_MAP, namespace, name: spec.resourceModifier.name };
  const configMap = await readObject(target, { kube }, signal);
  if (configMap === undefined) return undefined;
  const slices = { what: 'reading the resource modifiers', clock, signal, limitMs: LIMIT_MS };
  try {
    return await parseResourceModifiers(configMap, {
      readYaml: (texts) => readYaml(texts, signal),
      inSlices: (steps) => inSlices(steps, slices),
      strategicMerge,
    });
  } catch (error) {
    if (isAppError(error, 'tooLarge')) return { problems: [error.message] };
    throw error;
  }
}
