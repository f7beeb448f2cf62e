import type { Container, Pod, Projection } from '../../controllers/kinds/index.ts';
import { allContainers } from '../pod/index.ts';

/** The config maps and secrets that a pod shows or is configured by, as `configmaps/NAME` and `secrets/NAME`. */
export function referencesOf(pod: Pod): Set<string> {
  const names = new Set<string>();
  for (const container of allContainers(pod)) for (const name of ofContainer(container)) names.add(name);
  for (const { configMap, secret, projected } of pod.spec.volumes ?? []) {
    if (configMap !== undefined) names.add(`configmaps/${configMap.name}`);
    if (secret !== undefined) names.add(`secrets/${secret.secretName}`);
    for (const source of projected?.sources ?? []) for (const name of ofProjection(source)) names.add(name);
  }
  return names;
}

function* ofContainer({ env = [], envFrom = [] }: Container): Iterable<string> {
  for (const { valueFrom } of env) {
    if (valueFrom?.configMapKeyRef !== undefined) yield `configmaps/${valueFrom.configMapKeyRef.name}`;
    if (valueFrom?.secretKeyRef !== undefined) yield `secrets/${valueFrom.secretKeyRef.name}`;
  }
  for (const { configMapRef, secretRef } of envFrom) {
    if (configMapRef !== undefined) yield `configmaps/${configMapRef.name}`;
    if (secretRef !== undefined) yield `secrets/${secretRef.name}`;
  }
}

function* ofProjection({ configMap, secret }: Projection): Iterable<string> {
  if (configMap !== undefined) yield `configmaps/${configMap.name}`;
  if (secret !== undefined) yield `secrets/${secret.name}`;
}
