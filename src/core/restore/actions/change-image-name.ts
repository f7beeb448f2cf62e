import { textAt, type JsonObject } from '../../../base/index.ts';
import { kindOf, mapObjects, withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

const TEMPLATE = ['spec', 'template', 'spec'];

/** Replaces parts of image names as the user mapped them, such as one registry by another. */
export const changeImageNameAction: RestoreAction = {
  name: 'velero.io/change-image-name',
  appliesTo: [
    'deployments.apps',
    'statefulsets.apps',
    'daemonsets.apps',
    'replicasets.apps',
    'replicationcontrollers',
    'jobs.batch',
    'cronjobs.batch',
    'pods',
  ],
  execute({ item, config }) {
    const rules = rulesOf(config.images);
    if (rules.length === 0) return changed(item);
    const change = (container: JsonObject): JsonObject => {
      const image = textAt(container, 'image');
      const rule = image === undefined ? undefined : rules.find(({ from }) => image.includes(from));
      if (image === undefined || rule === undefined) return container;
      return withValue(container, ['image'], image.replaceAll(rule.from, rule.to));
    };
    const spec = podSpecPath(kindOf(item));
    const containers = mapObjects(item, [...spec, 'containers'], change);
    return changed(mapObjects(containers, [...spec, 'initContainers'], change));
  },
};

function podSpecPath(kind: string): string[] {
  if (kind === 'Pod') return ['spec'];
  return kind === 'CronJob' ? ['spec', 'jobTemplate', ...TEMPLATE] : TEMPLATE;
}

interface Rule {
  from: string;
  to: string;
}

// The first rule that fits is taken. They are sorted by their keys, so that it is the same one every time.
function rulesOf(images: Readonly<Record<string, string>>): Rule[] {
  const rows = Object.entries(images).sort(([a], [b]) => (a < b ? -1 : 1));
  return rows
    .map(([, row]) => row.split(','))
    .map(([from = '', ...to]) => ({ from: from.trim(), to: to.join(',').trim() }))
    .filter(({ from, to }) => from !== '' && to !== '');
}
