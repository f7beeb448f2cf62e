import { AppError, textAt, type JsonObject } from '../../../base/index.ts';
import { kindOf, mapObjects, withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

const TEMPLATE = ['spec', 'template', 'spec'];

/** Replaces parts of image names as the user mapped them, such as one registry with another. */
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
      return withValue(container, ['image'], replaced(image, rule));
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

/** No registry accepts a longer one, and a few rules could produce very long ones. */
const MAX_IMAGE = 4096;

function replaced(image: string, { from, to }: Rule): string {
  const parts = image.split(from);
  const length = image.length + (parts.length - 1) * (to.length - from.length);
  if (length <= MAX_IMAGE) return parts.join(to);
  throw new AppError(
    'invalid',
    `cannot change the image ${image.slice(0, 100)}: expected at most ${MAX_IMAGE} characters, got ${length}`,
  );
}

interface Rule {
  from: string;
  to: string;
}

// The first matching rule applies. They are sorted by key, so that it is always the same one.
function rulesOf(images: Readonly<Record<string, string>>): Rule[] {
  const rows = Object.entries(images).sort(([a], [b]) => (a < b ? -1 : 1));
  return rows
    .map(([, row]) => row.split(','))
    .map(([from = '', ...to]) => ({ from: from.trim(), to: to.join(',').trim() }))
    .filter(({ from, to }) => from !== '' && to !== '');
}
