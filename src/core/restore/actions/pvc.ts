import { textAt, type JsonObject } from '../../../base/index.ts';
import { annotationsOf, nameOf, withValue, withoutKeys } from '../fields.ts';
import { changed, type ActionConfig, type RestoreAction } from './action.ts';

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** What the old cluster's controllers noted about the old volume. */
const OLD_NOTES = [
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
  'velero.io/volume-snapshot-name',
  'velero.io/data-upload-name',
];

/** Lets the cluster bind the claim anew, on a node that exists. The volume it was bound to comes with it. */
export const pvcAction: RestoreAction = {
  name: 'velero.io/pvc',
  appliesTo: ['persistentvolumeclaims'],
  execute({ item, itemFromBackup, config }) {
    const placed = withSelectedNode(item, config);
    const claim = withoutKeys(placed.item, ['metadata', 'annotations'], OLD_NOTES);
    // Status was taken from the item already.
    const volume = textAt(itemFromBackup, 'spec', 'volumeName');
    const isBound = textAt(itemFromBackup, 'status', 'phase') === 'Bound' && volume !== undefined;
    const result = changed(claim, isBound ? [{ groupResource: 'persistentvolumes', name: volume }] : []);
    return { ...result, warnings: placed.warnings };
  },
};

function withSelectedNode(item: JsonObject, config: ActionConfig): { item: JsonObject; warnings: string[] } {
  const path = ['metadata', 'annotations'];
  const node = annotationsOf(item)[SELECTED_NODE];
  if (node === undefined) return { item, warnings: [] };
  const mapped = Object.hasOwn(config.nodes, node) ? config.nodes[node] : undefined;
  if (mapped === undefined || mapped === '') {
    return { item: config.hasNode(node) ? item : withoutKeys(item, path, [SELECTED_NODE]), warnings: [] };
  }
  const warning = `PersistentVolumeClaim ${nameOf(item)} was on node ${node}, which is mapped to ${mapped}, which does not exist`;
  return {
    item: withValue(item, [...path, SELECTED_NODE], mapped),
    warnings: config.hasNode(mapped) ? [] : [warning],
  };
}
