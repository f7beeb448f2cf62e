import { formatOperationId, type Adapter } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';

export function operationIdOf(cluster: string, { type }: Adapter, { metadata }: KubeObject): string {
  return formatOperationId({ cluster, kind: type.kind, namespace: metadata.namespace ?? '', name: metadata.name });
}
