import { isObject, objectAt, objectsAt, textAt, textsAt, type JsonObject } from '../../../src/base/index.ts';

/** What one phase returned, or one artifact that an action left behind. */
export interface ActionOutput {
  /** The action, which may be one of several. */
  action: string;
  title: string;
  values: { name: string; text: string }[];
}

/** Of an action set; nothing of any other kind. */
export function outputsOf(object: JsonObject): ActionOutput[] {
  if (textAt(object, 'kind') !== 'ActionSet') return [];
  return objectsAt(object, 'status', 'actions').flatMap((action) => {
    const name = textAt(action, 'name') ?? '';
    const phases = [...objectsAt(action, 'phases'), objectAt(action, 'deferPhase')];
    const returned = phases.map((phase) => ({
      action: name,
      title: `phase ${textAt(phase, 'name') ?? ''}`,
      values: valuesOf(objectAt(phase, 'output')),
    }));
    const artifacts = Object.entries(objectAt(action, 'artifacts')).map(([artifact, value]) => ({
      action: name,
      title: `artifact ${artifact}`,
      values: valuesOf(isObject(value) ? { ...value, ...textsAt(value, 'keyValue') } : {}).filter(
        ({ name: key }) => key !== 'keyValue',
      ),
    }));
    return [...returned, ...artifacts].filter(({ values }) => values.length > 0);
  });
}

function valuesOf(output: JsonObject): ActionOutput['values'] {
  return Object.entries(output).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}
