import { beforeAll, describe, expect, it } from 'vitest';
import { finish } from '../../../test/finish.ts';
import { recordedRestore, type RecordedRestore } from '../../../test/recorded-velero.ts';
import { Restore } from '../../api/index.ts';
import { isEqual, isObject, textAt, type Json, type JsonObject } from '../../base/index.ts';
import type { BackupVolumeInfo } from '../backup/index.ts';
import { ItemCounting, exact } from '../progress/index.ts';
import { resultsOf, type ResultMessage } from '../selection/index.ts';
import { kindOf, nameOf } from './fields.ts';
import {
  BUILT_IN_ACTIONS,
  DEFAULT_PRIORITIES,
  RestorePlan,
  aboutItem,
  collectRestore,
  decideExisting,
  decideVolumes,
  prepareItem,
  restoreFilters,
  restoredResourceList,
  validateRestore,
  type ArchiveKey,
  type Collection,
  type PrepareDeps,
  type Prepared,
  type RestoredItem,
} from './index.ts';
import type { ResourceList, Results } from '../selection/index.ts';

// `velero restore create shop-r2 --from-backup shop-1 --namespace-mappings shop:shop2`, the old namespace still there.
const names = { resolve: (name: string) => name };
const backup = { metadata: { name: 'shop-1' }, status: { phase: 'Completed' as const } };
const { spec } = validateRestore({ backupName: 'shop-1', namespaceMapping: { shop: 'shop2' } }, { backup });
const restore = Restore.parse({
  apiVersion: 'velero.io/v1',
  kind: 'Restore',
  metadata: { name: 'shop-r2' },
  spec,
}).value;

let recorded: RecordedRestore;
let collection: Collection;
let deps: PrepareDeps;
let itemAt: (key: ArchiveKey) => JsonObject | undefined;
const keyOf = ({ groupResource, namespace = '', name }: ArchiveKey) => `${groupResource}/${namespace}/${name}`;

beforeAll(async () => {
  recorded = await recordedRestore();
  const items = new Map(recorded.items.map(({ key, item }) => [keyOf(key), item]));
  itemAt = (key) => items.get(keyOf(key));
  collection = await collectRestore({
    spec: restore.spec,
    entries: recorded.items.map(({ key }) => key),
    lookInto: () => Promise.reject(new Error('nobody asked for labels')),
    priorities: DEFAULT_PRIORITIES,
    names,
    serves: (resource) => resource !== 'carts.shop.example.com',
  });
  const volumes = recorded.items.filter(({ key }) => key.groupResource === 'persistentvolumes').map(({ item }) => item);
  deps = {
    restore,
    names: { restoreName: 'shop-r2', backupName: 'shop-1' },
    actions: BUILT_IN_ACTIONS,
    config: { storageClasses: {}, images: {}, hasStorageClass: () => true },
    volumes: decideVolumes(volumes, recorded.json('backups/shop-1/shop-1-volumeinfo.json.gz') as BackupVolumeInfo[], {
      restorePVs: true,
      dataOf: () => undefined,
    }),
    restoresStatus: () => false,
  };
});

function runSerially(each: (prepared: Prepared, key: ArchiveKey) => 'created' | 'skipped'): ItemCounting {
  const counting = new ItemCounting();
  const plan = new RestorePlan({
    collection,
    namespaceMapping: { shop: 'shop2' },
    filters: restoreFilters(restore.spec, names),
    inArchive: (key) => itemAt(key) !== undefined,
    counting,
    parallel: 1,
  });
  for (const _ of plan.begin());
  const restoreOne = (source: ArchiveKey, target: ArchiveKey): 'created' | 'skipped' => {
    const prepared = finish(prepareItem(source, itemAt(source), deps));
    for (const additional of prepared.kind === 'send' ? prepared.additionalItems : []) {
      const claim = plan.claim(additional, target);
      expect(claim.kind).toBe('done');
    }
    return each(prepared, source);
  };
  for (let work = plan.next(); work !== undefined; work = plan.next()) {
    if (work === 'wait') throw new Error('a serial run never waits');
    plan.settle(work.target, restoreOne(work.source, work.target));
  }
  return counting;
}

/** Paths at which the final object lacks what we sent; lists must have our length. */
function lost(sent: Json | undefined, left: Json | undefined, path: string): string[] {
  if (Array.isArray(sent) && Array.isArray(left) && sent.length === left.length) {
    return sent.flatMap((item, at) => lost(item, left[at], `${path}/${at}`));
  }
  if (isObject(sent) && isObject(left)) {
    return Object.entries(sent).flatMap(([key, value]) => lost(value, left[key], `${path}/${key}`));
  }
  return isEqual(sent, left) ? [] : [path];
}

describe('the restore that Velero 1.18.3 was recorded at', () => {
  it('collects the same 34 items and leaves out the events', () => {
    expect(collection.totalItems).toBe(34);
    expect(collection.unserved).toEqual([]);
    expect(collection.leftOut.map(({ groupResource, reason, names: n }) => [groupResource, reason, n.length])).toEqual([
      ['events', 'neverRestored', 7],
    ]);
  });

  it('restores types in the recorded order', () => {
    expect(collection.tiers.flat().map(({ resource }) => resource)).toEqual([
      'customresourcedefinitions.apiextensions.k8s.io',
      'namespaces',
      'persistentvolumes',
      'persistentvolumeclaims',
      'clusterroles.rbac.authorization.k8s.io',
      'roles.rbac.authorization.k8s.io',
      'serviceaccounts',
      'clusterrolebindings.rbac.authorization.k8s.io',
      'rolebindings.rbac.authorization.k8s.io',
      'secrets',
      'configmaps',
      'pods',
      'replicasets.apps',
      'endpoints',
      'services',
      'carts.shop.example.com',
      'controllerrevisions.apps',
      'cronjobs.batch',
      'deployments.apps',
      'endpointslices.discovery.k8s.io',
      'horizontalpodautoscalers.autoscaling',
      'ingresses.networking.k8s.io',
      'jobs.batch',
      'networkpolicies.networking.k8s.io',
      'poddisruptionbudgets.policy',
      'statefulsets.apps',
    ]);
  });

  it('sends objects that equal the restored ones, but for what the server and controllers add', () => {
    // Controllers created their own instead of these, or changed them at once.
    const replaced = ['EndpointSlice', 'Endpoints', 'ConfigMap/kube-root-ca.crt', 'ServiceAccount/default'];
    const left = new Map(recorded.restored.map((item) => [`${kindOf(item)}/${nameOf(item)}`, item]));
    const compared: string[] = [];
    const different: string[] = [];
    runSerially((prepared) => {
      if (prepared.kind === 'skip') throw new Error(prepared.reason);
      const { item } = prepared;
      const name = `${kindOf(item)}/${nameOf(item)}`;
      const isThere = (item.metadata as JsonObject).namespace === 'shop2';
      if (isThere && !replaced.includes(name) && !replaced.includes(kindOf(item))) {
        compared.push(name);
        different.push(...lost(item, left.get(name), name));
      }
      return 'created';
    });
    // The job controller removes its finalizer from a pod whose job it does not find.
    expect(different).toEqual(['Pod/seed-8sg5m/metadata/finalizers']);
    expect(compared).toHaveLength(23);
  });

  it('counts and lists what was recorded, but for objects that were there, which are skipped', () => {
    // What the recorded server found in the cluster: unchanged, except for the mapping.
    const there = ['carts.shop.example.com', 'shop-data', 'shop-reader'];
    const messages: ResultMessage[] = [];
    const listed: RestoredItem[] = [];
    const counting = runSerially((prepared, key) => {
      if (prepared.kind === 'skip') throw new Error(prepared.reason);
      const { item } = prepared;
      const { name, namespace } = item.metadata as { name: string; namespace?: string };
      let outcome: 'created' | 'skipped' = 'created';
      if (there.includes(name)) {
        const inCluster = itemAt(key)!;
        const decision = decideExisting({ ...key, inCluster, wanted: item, policy: 'none', names: deps.names });
        if (decision.kind === 'warn') {
          messages.push({ level: 'warnings', about: aboutItem(namespace), text: decision.message });
        }
        outcome = 'skipped';
      }
      const place = namespace === undefined ? {} : { namespace };
      listed.push({ apiVersion: textAt(item, 'apiVersion')!, kind: kindOf(item), ...place, name, outcome });
      return outcome;
    });
    expect(counting.measure()).toEqual({ unit: 'items', done: 34, total: exact(34) });
    const theirs = recorded.json('restores/shop-r2/restore-shop-r2-resource-list.json.gz') as ResourceList;
    const withoutMarks = (list: ResourceList) =>
      Object.entries(list).map(([kind, all]) => [kind, all.map((name) => name.replace(/\(\w+\)$/, ''))]);
    expect(withoutMarks(restoredResourceList(listed))).toEqual(withoutMarks(theirs));
    const results = recorded.json('restores/shop-r2/restore-shop-r2-results.gz') as Results;
    // Velero's own action changes the CRD, so it reports an equal one as different.
    expect(resultsOf(messages).warnings.cluster).toEqual(results.warnings.cluster!.slice(1));
  });
});
