import { isObject, objectsAt, type JsonObject } from '../../../base/index.ts';
import { constants, objectMadeAt, setDefault, setIfAbsent, type Defaulters } from './defaulter.ts';

/** Matches what a registry reference may look like: an optional host, lower-case path parts, a tag, a digest. */
const IMAGE =
  /^(?:[a-zA-Z0-9.-]+(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*(?::([\w][\w.-]{0,127}))?(@[a-z0-9+.-]+:[0-9a-fA-F]{32,})?$/i;

/** Always for the tag latest, said or meant; a digest names one image, so that no tag is meant. */
export function pullPolicy(image: string): string {
  const match = image.length < 1000 ? IMAGE.exec(image) : null;
  const [, tag, digest] = match ?? [];
  const isLatest = match !== null && (tag === 'latest' || (tag === undefined && digest === undefined));
  return isLatest ? 'Always' : 'IfNotPresent';
}

function container(object: JsonObject): void {
  setDefault(object, 'imagePullPolicy', pullPolicy(typeof object['image'] === 'string' ? object['image'] : ''));
  setDefault(object, 'terminationMessagePath', '/dev/termination-log');
  setDefault(object, 'terminationMessagePolicy', 'File');
}

function requestsFromLimits(object: JsonObject): void {
  const resources = object['resources'];
  if (!isObject(resources) || !isObject(resources['limits'])) return;
  const requests = objectMadeAt(resources, 'requests');
  for (const [name, amount = null] of Object.entries(resources['limits'])) setIfAbsent(requests, name, amount);
}

function pod(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  containers.forEach(requestsFromLimits);
  setIfAbsent(spec, 'enableServiceLinks', true);
  if (spec['hostNetwork'] !== true) return;
  for (const port of containers.flatMap((item) => objectsAt(item, 'ports'))) {
    setDefault(port, 'hostPort', port['containerPort'] ?? 0);
  }
}

function podSpec(object: JsonObject): void {
  setDefault(object, 'dnsPolicy', 'ClusterFirst');
  setDefault(object, 'restartPolicy', 'Always');
  setIfAbsent(object, 'securityContext', {});
  setIfAbsent(object, 'terminationGracePeriodSeconds', 30);
  setDefault(object, 'schedulerName', 'default-scheduler');
  // Two names of one field.
  const account = object['serviceAccountName'] ?? object['serviceAccount'];
  if (account === undefined) return;
  object['serviceAccountName'] = account;
  object['serviceAccount'] = account;
}

function volume(object: JsonObject): void {
  if (!Object.keys(object).some((key) => key !== 'name')) object['emptyDir'] = {};
  const image = object['image'];
  if (isObject(image)) {
    setDefault(image, 'pullPolicy', pullPolicy(typeof image['reference'] === 'string' ? image['reference'] : ''));
  }
}

function probe(object: JsonObject): void {
  setDefault(object, 'timeoutSeconds', 1);
  setDefault(object, 'periodSeconds', 10);
  setDefault(object, 'successThreshold', 1);
  setDefault(object, 'failureThreshold', 3);
}

const READABLE_BY_ALL = 0o644;
const HOUR_SECONDS = 3600;

/** Pods and everything inside their specs. */
export const POD_DEFAULTS: Defaulters = {
  'io.k8s.api.core.v1.Pod': pod,
  'io.k8s.api.core.v1.PodSpec': podSpec,
  'io.k8s.api.core.v1.Container': container,
  'io.k8s.api.core.v1.EphemeralContainer': container,
  'io.k8s.api.core.v1.ContainerPort': (object) => {
    setDefault(object, 'protocol', 'TCP');
  },
  'io.k8s.api.core.v1.Probe': probe,
  'io.k8s.api.core.v1.HTTPGetAction': (object) => {
    setDefault(object, 'path', '/');
    setDefault(object, 'scheme', 'HTTP');
  },
  'io.k8s.api.core.v1.GRPCAction': constants({ service: '' }),
  'io.k8s.api.core.v1.FileKeySelector': constants({ optional: false }),
  'io.k8s.api.core.v1.ObjectFieldSelector': (object) => {
    setDefault(object, 'apiVersion', 'v1');
  },
  'io.k8s.api.core.v1.Volume': volume,
  'io.k8s.api.core.v1.SecretVolumeSource': constants({ defaultMode: READABLE_BY_ALL }),
  'io.k8s.api.core.v1.ConfigMapVolumeSource': constants({ defaultMode: READABLE_BY_ALL }),
  'io.k8s.api.core.v1.DownwardAPIVolumeSource': constants({ defaultMode: READABLE_BY_ALL }),
  'io.k8s.api.core.v1.ProjectedVolumeSource': constants({ defaultMode: READABLE_BY_ALL }),
  'io.k8s.api.core.v1.ServiceAccountTokenProjection': constants({ expirationSeconds: HOUR_SECONDS }),
  'io.k8s.api.core.v1.HostPathVolumeSource': constants({ type: '' }),
};
