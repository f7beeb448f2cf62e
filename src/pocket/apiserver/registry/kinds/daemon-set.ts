import { isEqual, valueAt, type Json } from '../../../../base/index.ts';
import type { ApiObject } from '../../object/index.ts';
import type { KindRules } from './kind-rules.ts';

const GENERATION = 'deprecated.daemonset.template.generation';

/** The generation of a DaemonSet's template, which the API server counts in an annotation since it left the spec. */
export const daemonSetRules: KindRules = {
  create(object) {
    setGeneration(object, Math.max(1, generationOf(object)));
    return [];
  },
  update(object, old) {
    const isChanged = !isEqual(templateOf(object), templateOf(old));
    setGeneration(object, generationOf(old) + (isChanged ? 1 : 0));
    return [];
  },
};

function templateOf(object: Readonly<ApiObject>): Json {
  return valueAt(object, 'spec', 'template') ?? null;
}

function generationOf({ metadata }: Readonly<ApiObject>): number {
  return Number(metadata.annotations?.[GENERATION]) || 0;
}

function setGeneration({ metadata }: ApiObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [GENERATION]: String(generation) };
}
