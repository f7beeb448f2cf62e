import { parse } from 'yaml';
import { CONFIG_MAP, type Restore } from '../../../../api/index.ts';
import { parseResourceModifiers, strategicMerge, type ParsedModifiers } from '../../../../core/restore/index.ts';
import type { KubeClient } from '../../../../edge/kube/index.ts';
import { readObject } from '../../../runtime/objects/index.ts';

export interface ModifierSource {
  kube: KubeClient;
  namespace: string;
  signal: AbortSignal;
}

/** The changes that a restore's ConfigMap asks for; undefined when it names none, or one that is not there. */
export async function readModifiers(
  spec: Restore['spec'],
  source: ModifierSource,
): Promise<ParsedModifiers | undefined> {
  const { kube, namespace, signal } = source;
  if (spec.resourceModifier === undefined) return undefined;
  const target = { type: CONFIG_MAP, namespace, name: spec.resourceModifier.name };
  const configMap = await readObject(target, { kube }, signal);
  if (configMap === undefined) return undefined;
  return parseResourceModifiers(configMap, { parseYaml: (text) => parse(text) as unknown, strategicMerge });
}
