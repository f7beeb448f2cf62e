import { isObject, objectAt } from '../../../../base/index.ts';
import type { ApiObject } from '../../object/index.ts';
import type { KindRules } from './kind-rules.ts';

/** A Job selects its pods by its own uid unless it says otherwise. */
export const jobRules: KindRules = {
  create(object: ApiObject) {
    const spec = objectAt(object, 'spec');
    if (spec['manualSelector'] === true || !isObject(spec['template'])) return [];
    const uid = object.metadata.uid ?? '';
    const template = spec['template'];
    const metadata = objectAt(template, 'metadata');
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': object.metadata.name,
      'controller-uid': uid,
      'job-name': object.metadata.name,
    };
    template['metadata'] = { ...metadata, labels: { ...objectAt(metadata, 'labels'), ...labels } };
    // Without labels of its own a Job gets those of its pods.
    object.metadata.labels ??= { ...(objectAt(template, 'metadata', 'labels') as Record<string, string>) };
    const selector = objectAt(spec, 'selector');
    const own = { 'batch.kubernetes.io/controller-uid': uid };
    spec['selector'] = { ...selector, matchLabels: { ...own, ...objectAt(selector, 'matchLabels') } };
    return [];
  },
};
