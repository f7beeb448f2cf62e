import { AppError, textsAt, type JsonObject } from '../../../base/index.ts';
import { labelsOf, nameOf } from '../fields.ts';

const CONFIG_LABEL = 'velero.io/plugin-config';
const KIND = 'RestoreItemAction';
/** Each item is checked against all of them. */
const MAX_ROWS = 1000;

/** The settings of one action: the ConfigMap that is labelled for it; at most one may exist. */
export function pluginConfig(configMaps: readonly JsonObject[], action: string): Readonly<Record<string, string>> {
  const found = configMaps.filter((map) => {
    const labels = labelsOf(map);
    return Object.hasOwn(labels, CONFIG_LABEL) && labels[action] === KIND;
  });
  const [config] = found;
  if (found.length > 1) {
    throw new AppError(
      'invalidConfig',
      `cannot read the settings of ${action}: expected one ConfigMap labelled ${CONFIG_LABEL} and ${action}=${KIND}, ` +
        `got ${found.map(nameOf).sort().join(', ')}`,
    );
  }
  const settings = config === undefined ? {} : textsAt(config, 'data');
  const count = Object.keys(settings).length;
  if (count > MAX_ROWS) {
    throw new AppError(
      'invalidConfig',
      `cannot read the settings of ${action}: expected at most ${MAX_ROWS}, got ${count}`,
    );
  }
  return settings;
}
