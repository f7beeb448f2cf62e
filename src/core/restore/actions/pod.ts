import { textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { mapObjects, withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

const CONTAINERS = ['containers', 'initContainers'] as const;

/** Removes the pod's node and what admission added, so that the cluster decides again. */
export const podAction: RestoreAction = {
  name: 'velero.io/pod',
  appliesTo: ['pods'],
  execute({ item }) {
    let pod = withValue(item, ['spec', 'nodeName'], undefined);
    pod = withValue(pod, ['spec', 'priority'], undefined);
    pod = withoutTokenVolumes(pod);
    const priorityClass = textAt(item, 'spec', 'priorityClassName');
    if (priorityClass === undefined) return changed(pod);
    return changed(pod, [{ groupResource: 'priorityclasses.scheduling.k8s.io', name: priorityClass }]);
  },
};

// Admission mounts the token of the new service account; the old account's secret will not exist.
function withoutTokenVolumes(pod: JsonObject): JsonObject {
  const account = textAt(pod, 'spec', 'serviceAccountName');
  if (account === undefined) return pod;
  const isOther = (element: JsonObject): boolean => !(textAt(element, 'name') ?? '').startsWith(`${account}-token-`);
  let result = withoutOthers(pod, ['spec', 'volumes'], isOther);
  for (const list of CONTAINERS) {
    result = mapObjects(result, ['spec', list], (container) => withoutOthers(container, ['volumeMounts'], isOther));
  }
  return result;
}

function withoutOthers(item: JsonObject, path: readonly string[], keep: (element: JsonObject) => boolean): JsonObject {
  const list = valueAt(item, ...path);
  if (!Array.isArray(list)) return item;
  const kept = list.filter((element) => keep(element as JsonObject));
  if (kept.length === list.length) return item;
  return withValue(item, path, kept.length === 0 ? undefined : kept);
}
