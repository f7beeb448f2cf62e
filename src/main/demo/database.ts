import {
  apiVersionOf,
  Blueprint,
  DEPLOYMENT,
  NAMESPACE,
  PERSISTENT_VOLUME_CLAIM,
  Profile,
  SECRET,
  type ResourceType,
} from '../../api/index.ts';
import type { JsonObject } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import type { SampleItem } from './sample-application.ts';
import { sayIn } from './pod-of.ts';
import { claimSpec } from './volumes.ts';

/** A database as small as one can be: a pod, a table in a file, and a program that dumps, loads and empties it. */
export const DATABASE = { namespace: 'library', name: 'books' };
const RECORDS = 5000;
/** Where its pod and those of the Blueprint find the location of the dumps. */
const DUMPS = '/dumps';
const IMAGE = 'busybox:1';

/** What people would call `psql`, `pg_dump` and the server, in one. */
const PROGRAM = `
mkdir -p /data/bin
cat >/data/bin/books <<'END'
#!/bin/sh
case $1 in
  dump) cat /data/table ;;
  load) cat >/data/loading && mv /data/loading /data/table ;;
  wipe) : >/data/table ;;
  count) wc -l </data/table ;;
esac
END
chmod +x /data/bin/books
[ -e /data/table ] || seq -f 'book %06g' ${RECORDS} | /data/bin/books load
echo "ready with $(/data/bin/books count) records"
trap exit TERM
while :; do sleep 1; done`;
const PROFILE = "--profile '{{ toJson .Profile }}'";

/** As users write one. The first phase works in the database's own pod, the second reads what was stored in another. */
function actions(): JsonObject {
  const { namespace, name } = DATABASE;
  const inPod = {
    namespace,
    pod: '{{ index .Deployment.Pods 0 }}',
    container: name,
  };
  const volumes = [{ name: 'dumps', persistentVolumeClaim: { claimName: 'dumps' } }];
  const podOverride = {
    containers: [{ name: 'container', volumeMounts: [{ name: 'dumps', mountPath: DUMPS }] }],
    volumes,
  };
  const script = (...lines: string[]): string[] => ['sh', '-ec', lines.join('\n')];
  return {
    backup: {
      outputArtifacts: {
        dump: { keyValue: { path: '{{ .Phases.dump.Output.path }}', sha256: '{{ .Phases.check.Output.sha256 }}' } },
      },
      phases: [
        {
          func: 'KubeExec',
          name: 'dump',
          args: {
            ...inPod,
            command: script(
              'path={{ .Deployment.Name }}/dump.gz',
              `/data/bin/books dump | gzip | kando location push - ${PROFILE} --path "$path"`,
              'kando output path "$path"',
            ),
          },
        },
        {
          func: 'KubeTask',
          name: 'check',
          args: {
            namespace,
            image: IMAGE,
            podOverride,
            command: script(
              `sum=$(kando location pull - ${PROFILE} --path '{{ .Phases.dump.Output.path }}' | gunzip | sha256sum)`,
              'kando output sha256 "${sum%% *}"',
            ),
          },
        },
      ],
    },
    restore: {
      inputArtifactNames: ['dump'],
      phases: [
        {
          func: 'KubeExec',
          name: 'load',
          args: {
            ...inPod,
            command: script(
              `kando location pull - ${PROFILE} --path '{{ .ArtifactsIn.dump.KeyValue.path }}' | gunzip | /data/bin/books load`,
            ),
          },
        },
      ],
    },
  };
}

/** Everything that the second act needs, in an order in which everything finds what it needs. */
export function databaseItems(): SampleItem[] {
  const { namespace, name } = DATABASE;
  const labels = { app: name };
  const volumes = ['data', 'dumps'];
  const secret = { name: 'dumps', namespace };
  const container = {
    name,
    image: IMAGE,
    command: ['sh', '-c', PROGRAM],
    volumeMounts: volumes.map((each) => ({ name: each, mountPath: `/${each}` })),
    readinessProbe: { exec: { command: ['/data/bin/books', 'count'] }, periodSeconds: 1 },
  };
  const spec = {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [container],
        volumes: volumes.map((each) => ({ name: each, persistentVolumeClaim: { claimName: each } })),
      },
    },
  };
  const location = { type: 'headway.io/fs', endpoint: DUMPS, bucket: 'books' };
  const keyPair = { idField: 'id', secretField: 'secret', secret };
  return [
    item(NAMESPACE, namespace, {}),
    ...volumes.map((each) => item(PERSISTENT_VOLUME_CLAIM, each, { spec: claimSpec('1Gi') })),
    // A directory needs no keys, but every Profile has some.
    item(SECRET, secret.name, { stringData: { id: 'none', secret: 'none' } }),
    item(Profile, 'dumps', { location, credential: { type: 'keyPair', keyPair } }),
    item(Blueprint, name, { actions: actions() }),
    item(DEPLOYMENT, name, { spec }),
  ];
}

function item(type: ResourceType, name: string, body: JsonObject): SampleItem {
  const metadata = type.namespaced ? { name, namespace: DATABASE.namespace } : { name };
  return { type, object: { apiVersion: apiVersionOf(type), kind: type.kind, metadata, ...body } };
}

/** What is in the table. */
export interface Table {
  records: number;
  sha256: string;
}

export async function readTable(kube: KubeClient, signal: AbortSignal): Promise<Table> {
  const script = '/data/bin/books count; /data/bin/books dump | sha256sum';
  const [records = '', sum = ''] = (await sayIn(kube, { ...DATABASE, script }, signal)).split('\n');
  return { records: Number(records), sha256: sum.split(' ')[0] ?? '' };
}

/** The accident. */
export async function wipeTable(kube: KubeClient, signal: AbortSignal): Promise<Table> {
  await sayIn(kube, { ...DATABASE, script: '/data/bin/books wipe' }, signal);
  return await readTable(kube, signal);
}

/** An ActionSet for the database, with what an earlier one has left for it. */
export function actionSet(name: string, action: 'backup' | 'restore', artifacts?: JsonObject): KubeObject {
  const { namespace, name: database } = DATABASE;
  const spec = {
    actions: [
      {
        name: action,
        blueprint: database,
        object: { kind: 'Deployment', name: database, namespace },
        profile: { name: 'dumps', namespace },
        ...(artifacts === undefined ? {} : { artifacts }),
      },
    ],
  };
  return { apiVersion: 'cr.kanister.io/v1alpha1', kind: 'ActionSet', metadata: { name, namespace }, spec };
}
