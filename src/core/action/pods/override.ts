import {
  POD_SPEC_MERGE,
  applyStrategicPatch,
  isObject,
  without,
  type Json,
  type JsonObject,
} from '../../../base/index.ts';

/** Blueprint and ActionSet may both change the pods of functions; where they disagree, the ActionSet wins. */
export function mergeOverrides(
  ofBlueprint: JsonObject | undefined,
  ofActionSet: JsonObject | undefined,
): JsonObject | undefined {
  if (ofActionSet === undefined) return ofBlueprint;
  return applyStrategicPatch(ofBlueprint ?? {}, ofActionSet, POD_SPEC_MERGE);
}

/** A pod spec as it is wanted; the container whose output counts comes first. */
export function overridden(spec: JsonObject, override: JsonObject | undefined, main: string): JsonObject {
  const merged = override === undefined ? spec : applyStrategicPatch(spec, override, POD_SPEC_MERGE);
  const { containers } = merged;
  if (!Array.isArray(containers)) return merged;
  const isMain = (container: Json): boolean => nameOf(container) === main;
  const others = containers.filter((container) => !isMain(container));
  return { ...merged, containers: [...containers.filter(isMain), ...others] };
}

function nameOf(container: Json): string | undefined {
  const name = isObject(container) ? container['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The name of the only container of most pods, by which overrides mean it. */
export const MAIN_CONTAINER = 'container';
export const OUTPUT_CONTAINER = 'output';
export const BACKGROUND_CONTAINER = 'background';
export const INIT_CONTAINER = 'init';

/**
 * An override of an ActionSet for a pod with several containers: what it wants of `container` it wants of each of them,
 * unless it names them.
 */
export function spreadOverride(override: JsonObject | undefined): JsonObject | undefined {
  const containers = listOf(override, 'containers');
  const general = containers.find((container) => nameOf(container) === MAIN_CONTAINER);
  if (override === undefined || general === undefined) return override;
  const named = containers.filter((container) => container !== general);
  return {
    ...without(override, 'containers', 'initContainers'),
    containers: withCopies(named, general, [BACKGROUND_CONTAINER, OUTPUT_CONTAINER]),
    initContainers: withCopies(listOf(override, 'initContainers'), general, [INIT_CONTAINER]),
  };
}

function listOf(override: JsonObject | undefined, field: string): Json[] {
  const found = override?.[field];
  return Array.isArray(found) ? found : [];
}

function withCopies(containers: readonly Json[], general: Json, names: readonly string[]): Json[] {
  const missing = names.filter((name) => !containers.some((container) => nameOf(container) === name));
  return [...containers, ...missing.map((name) => ({ ...(isObject(general) ? general : {}), name }))];
}
