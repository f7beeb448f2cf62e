import { isEqual, isObject, objectAt, type Json } from '../../../../base/index.ts';
import { forbidden } from '../../errors/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { KindRules } from './kind-rules.ts';

export const podRules: KindRules = {
  create(object, { store }) {
    const spec = objectAt(object, 'spec');
    // The ServiceAccount admission plugin does this; the token volume is left out, because no process would read it.
    const account = scalarTextAt(spec, 'serviceAccountName') || DEFAULT_ACCOUNT;
    checkAccount(object, account, store);
    spec['serviceAccountName'] = account;
    spec['serviceAccount'] = account;
    if (spec['priority'] === undefined) {
      const className = scalarTextAt(spec, 'priorityClassName');
      const found = className === '' ? undefined : store.get('priorityclasses.scheduling.k8s.io', '', className);
      if (className !== '' && found === undefined && !SYSTEM_CLASSES.has(className)) {
        throw forbidden(PODS, object.metadata.name, `no PriorityClass with name ${className} was found`);
      }
      spec['priority'] = found?.object['value'] ?? 0;
      spec['preemptionPolicy'] ??= found?.object['preemptionPolicy'] ?? 'PreemptLowerPriority';
    }
    spec['tolerations'] = withDefaultTolerations(listAt(spec, 'tolerations'));
    object['status'] = { phase: 'Pending', qosClass: qosClass(object) };
    return [];
  },
  update(object) {
    const spec = objectAt(object, 'spec');
    spec['tolerations'] = withDefaultTolerations(listAt(spec, 'tolerations'));
    return [];
  },
};

const PODS = { group: '', plural: 'pods' };
const DEFAULT_ACCOUNT = 'default';
/** Every real cluster has these two. */
const SYSTEM_CLASSES = new Set(['system-cluster-critical', 'system-node-critical']);

/** The default account is not asked for: it is made a moment after its namespace, and no process needs it. */
function checkAccount({ metadata }: ApiObject, account: string, store: ObjectStore): void {
  const { namespace = '', name } = metadata;
  if (account === DEFAULT_ACCOUNT || store.get('serviceaccounts', namespace, account) !== undefined) return;
  const why = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`;
  throw forbidden(PODS, name, why);
}

const NOT_READY = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** A pod stays for five minutes on a node that is in trouble, unless it says otherwise. */
function withDefaultTolerations(given: readonly Json[]): Json[] {
  const isTolerated = (key: string): boolean =>
    given.some(
      (one) => ['', key].includes(scalarTextAt(one, 'key')) && ['', 'NoExecute'].includes(scalarTextAt(one, 'effect')),
    );
  const missing = NOT_READY.filter((key) => !isTolerated(key));
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return [...given, ...added];
}

function qosClass(pod: ApiObject): string {
  const containers = [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')].filter(isObject);
  let isGuaranteed = true;
  let hasAny = false;
  for (const container of containers) {
    const limits = objectAt(container, 'resources', 'limits');
    const requests = objectAt(container, 'resources', 'requests');
    for (const resource of ['cpu', 'memory']) {
      if (limits[resource] !== undefined || requests[resource] !== undefined) hasAny = true;
      const request = requests[resource] ?? limits[resource];
      if (limits[resource] === undefined || !isEqual(request, limits[resource])) isGuaranteed = false;
    }
  }
  if (!hasAny) return 'BestEffort';
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}
