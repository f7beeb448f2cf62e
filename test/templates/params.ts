import { Profile } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { profileValue, templateParams, type ActionFacts } from '../../src/core/action/index.ts';
import type { Value } from '../../src/core/action/template/index.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const SECRET: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'shop', labels: { app: 'db' } },
  data: { user: base64('admin'), pass: base64('p"w\'d'), id: base64('KEYID'), secret: base64('KEY<SECRET>') },
  type: 'Opaque',
};
const CONFIG_MAP: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'shop' },
  data: { path: '/backups', lines: 'a\nb' },
};
const OBJECT: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'my-db', labels: { tier: 'front' } },
  spec: {
    replicas: 2,
    nodeSets: [
      { name: 'default', count: 3 },
      { name: 'other', count: 0.5 },
    ],
    template: { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data-0' } }] } },
  },
  data: { k: 'dg==' },
};
const PROFILE = Profile.parse({
  metadata: { name: 'p' },
  location: {
    type: 's3Compliant',
    bucket: 'bk',
    endpoint: 'http://example.invalid',
    prefix: 'pre',
    region: 'us-west-1',
  },
  credential: {
    type: 'keyPair',
    keyPair: { idField: 'id', secretField: 'secret', secret: { name: 's', namespace: 'shop' } },
  },
  skipSSLVerify: true,
}).value;

export const FACTS: ActionFacts = {
  workload: {
    kind: 'StatefulSet',
    name: 'my-db',
    namespace: 'shop',
    pods: ['my-db-0', 'my-db-1'],
    containers: [['main', 'sidecar'], ['main']],
    persistentVolumeClaims: { 'my-db-0': { pvc2: '/two', pvc1: '/one' }, 'my-db-1': {} },
  },
  artifacts: { cloud: { keyValue: { path: '/a/b', 'with-dash': 'x' } }, snapshot: { kopiaSnapshot: '{"id":"1"}' } },
  configMaps: { c: CONFIG_MAP },
  secrets: { db: SECRET },
  time: '2026-01-02T03:04:05.123456789Z',
  profile: profileValue(PROFILE, { secrets: () => SECRET, isMasked: false }),
  options: { one: '1', two: '' },
  object: OBJECT,
  phases: {
    first: { secrets: { mine: SECRET }, configMaps: { conf: CONFIG_MAP }, output: { k: 'v', n: 3, deep: { x: null } } },
  },
  podLabels: { a: 'b' },
};

export const PARAMS: Value = templateParams(FACTS);

/** The same as the judge reads it. */
export const GO_PARAMS = {
  t: 'params' as const,
  v: {
    StatefulSet: {
      Name: 'my-db',
      Namespace: 'shop',
      Pods: FACTS.workload!.pods,
      Containers: FACTS.workload!.containers,
      PersistentVolumeClaims: FACTS.workload!.persistentVolumeClaims,
    },
    ArtifactsIn: FACTS.artifacts,
    ConfigMaps: FACTS.configMaps,
    Secrets: FACTS.secrets,
    Time: FACTS.time,
    Profile: {
      Location: PROFILE.location,
      Credential: { Type: 'keyPair', KeyPair: { ID: 'KEYID', Secret: 'KEY<SECRET>' } },
      SkipSSLVerify: true,
    },
    Options: FACTS.options,
    Object: OBJECT,
    Phases: {
      first: {
        Secrets: { mine: SECRET },
        ConfigMaps: { conf: CONFIG_MAP },
        Output: { k: 'v', n: 3, deep: { x: null } },
      },
    },
    DeferPhase: {},
    PodLabels: { a: 'b' },
  },
};
