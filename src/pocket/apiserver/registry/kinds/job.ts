import { isEqual, isObject, objectAt, stringifyJson, type JsonObject } from '../../../../base/index.ts';
import { matchingTemplate, type FieldError } from '../../../schema/index.ts';
import type { ApiObject } from '../../object/index.ts';
import type { KindRules } from './kind-rules.ts';

/** A Job selects its pods by its own uid unless it says otherwise. */
export const jobRules: KindRules = {
  create(object: ApiObject) {
    const spec = objectAt(object, 'spec');
    if (!isObject(spec['template'])) return [];
    const uid = object.metadata.uid ?? '';
    const template = spec['template'];
    const metadata = objectAt(template, 'metadata');
    if (spec['manualSelector'] === true) {
      takeLabels(object, objectAt(metadata, 'labels'));
      return matchingTemplate(object);
    }
    const own = {
      'controller-uid': uid,
      'job-name': object.metadata.name,
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': object.metadata.name,
    };
    const labels = inOrder({ ...own, ...objectAt(metadata, 'labels') });
    template['metadata'] = { ...metadata, labels };
    takeLabels(object, labels);
    const generated = { matchLabels: { [CONTROLLER_UID]: uid } };
    const selector = objectAt(spec, 'selector');
    spec['selector'] = {
      ...selector,
      matchLabels: inOrder({ ...generated.matchLabels, ...objectAt(selector, 'matchLabels') }),
    };
    const isGenerated = isEqual(spec['selector'], generated);
    return [
      ...foreignLabels(labels, own),
      ...(isGenerated ? [] : [notGenerated(spec['selector'])]),
      ...matchingTemplate(object),
    ];
  },
};

/** Without labels of its own a Job gets those of its pods. */
function takeLabels({ metadata }: ApiObject, labels: JsonObject): void {
  if (Object.keys(labels).length > 0) metadata.labels ??= { ...(labels as Record<string, string>) };
}

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';

/** As Go writes a map. */
function inOrder(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Labels of another job, such as the one a backup was made of: its pods would not be found by this one. */
function foreignLabels(labels: JsonObject, own: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(own).flatMap(([key, value]) => {
    const message = `Invalid value: ${stringifyJson(labels)}: must be '${value}'`;
    const field = `spec.template.metadata.labels[${key}]`;
    return labels[key] === value ? [] : [{ reason: 'FieldValueInvalid' as const, message, field }];
  });
}

function notGenerated(selector: JsonObject): FieldError {
  const message = `Invalid value: ${stringifyJson(selector)}: \`selector\` not auto-generated`;
  return { reason: 'FieldValueInvalid', message, field: 'spec.selector' };
}
