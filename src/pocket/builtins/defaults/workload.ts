import { isObject, objectsAt, type JsonObject } from '../../../base/index.ts';
import { objectMadeAt, setDefault, setIfAbsent, type Defaulters } from './defaulter.ts';

function deployment(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  setIfAbsent(spec, 'replicas', 1);
  const strategy = objectMadeAt(spec, 'strategy');
  setDefault(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectMadeAt(strategy, 'rollingUpdate');
    setIfAbsent(rolling, 'maxUnavailable', '25%');
    setIfAbsent(rolling, 'maxSurge', '25%');
  }
  setIfAbsent(spec, 'revisionHistoryLimit', 10);
  setIfAbsent(spec, 'progressDeadlineSeconds', 600);
}

function daemonSet(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  const strategy = objectMadeAt(spec, 'updateStrategy');
  setDefault(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectMadeAt(strategy, 'rollingUpdate');
    setIfAbsent(rolling, 'maxUnavailable', 1);
    setIfAbsent(rolling, 'maxSurge', 0);
  }
  setIfAbsent(spec, 'revisionHistoryLimit', 10);
}

function statefulSet(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  setDefault(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = objectMadeAt(spec, 'updateStrategy');
  if (strategy['type'] === undefined) {
    strategy['type'] = 'RollingUpdate';
    objectMadeAt(strategy, 'rollingUpdate');
  }
  if (strategy['type'] === 'RollingUpdate' && isObject(strategy['rollingUpdate'])) {
    setIfAbsent(strategy['rollingUpdate'], 'partition', 0);
  }
  const retention = objectMadeAt(spec, 'persistentVolumeClaimRetentionPolicy');
  setDefault(retention, 'whenDeleted', 'Retain');
  setDefault(retention, 'whenScaled', 'Retain');
  setIfAbsent(spec, 'replicas', 1);
  setIfAbsent(spec, 'revisionHistoryLimit', 10);
  for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
    claim['kind'] = 'PersistentVolumeClaim';
    claim['apiVersion'] = 'v1';
  }
}

const MAX_INT32 = 2 ** 31 - 1;

function job(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  if (spec['parallelism'] === undefined) setIfAbsent(spec, 'completions', 1);
  setIfAbsent(spec, 'parallelism', 1);
  setIfAbsent(spec, 'backoffLimit', spec['backoffLimitPerIndex'] === undefined ? 6 : MAX_INT32);
  setIfAbsent(spec, 'completionMode', 'NonIndexed');
  setIfAbsent(spec, 'suspend', false);
  setIfAbsent(spec, 'podReplacementPolicy', spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed');
  setIfAbsent(spec, 'manualSelector', false);
}

function cronJob(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  setDefault(spec, 'concurrencyPolicy', 'Allow');
  setIfAbsent(spec, 'suspend', false);
  setIfAbsent(spec, 'successfulJobsHistoryLimit', 3);
  setIfAbsent(spec, 'failedJobsHistoryLimit', 1);
}

/** The kinds that own pods. */
export const WORKLOAD_DEFAULTS: Defaulters = {
  'io.k8s.api.apps.v1.Deployment': deployment,
  'io.k8s.api.apps.v1.DaemonSet': daemonSet,
  'io.k8s.api.apps.v1.StatefulSet': statefulSet,
  'io.k8s.api.apps.v1.ReplicaSet': (object) => {
    setIfAbsent(objectMadeAt(object, 'spec'), 'replicas', 1);
  },
  'io.k8s.api.batch.v1.Job': job,
  'io.k8s.api.batch.v1.CronJob': cronJob,
  'io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern': (object) => {
    setDefault(object, 'status', 'True');
  },
};
