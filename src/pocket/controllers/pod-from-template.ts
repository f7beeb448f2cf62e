import type { JsonObject } from '../../base/index.ts';
import type { OwnerReference, PodTemplate } from './kinds/index.ts';

interface PodOrigin {
  namespace: string;
  /** Without a name the server makes one from the prefix. */
  name?: string;
  generateName: string;
  owner: OwnerReference;
}

/** The longest prefix to which the server can add its letters. */
const LONGEST_PREFIX = 253 - 5;

export function podFromTemplate(template: PodTemplate, origin: PodOrigin): JsonObject & { metadata: JsonObject } {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const { namespace, name, generateName, owner } = origin;
  return {
    metadata: {
      namespace,
      ...(name === undefined ? {} : { name }),
      generateName: generateName.slice(0, LONGEST_PREFIX),
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
      ownerReferences: [owner],
    },
    spec: template.spec,
  };
}
