import { objectAt } from '../../../../base/index.ts';
import { listAt } from '../../object/index.ts';
import type { KindRules } from './kind-rules.ts';

export const namespaceRules: KindRules = {
  create(object) {
    object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name };
    const spec = objectAt(object, 'spec');
    const given = listAt(spec, 'finalizers').filter((finalizer) => finalizer !== 'kubernetes');
    object['spec'] = { ...spec, finalizers: [...given, 'kubernetes'] };
    object['status'] = { phase: 'Active' };
    return [];
  },
  // Only /finalize may take the finalizers of the spec away.
  update(object, old) {
    if (old['spec'] !== undefined) object['spec'] = old['spec'];
    object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name };
    return [];
  },
};
