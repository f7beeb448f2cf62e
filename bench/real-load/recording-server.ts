/**
 * `headway server` for bench/real-load.ts that writes down what a restore sends, for a bare loop that sends the same:
 * `recording-server.ts KUBECONFIG HOME FILE`.
 */
import { createWriteStream } from 'node:fs';
import { stringifyJson } from '../../src/base/index.ts';
import type { KubeClient, NamedTarget, Patch, PatchOptions, Target } from '../../src/edge/kube/index.ts';
import { collectionPath, objectPath } from '../../src/edge/kube/path.ts';
import type { Recorded } from './recorded.ts';
import { serveWrapped } from './wrapped-server.ts';

const [kubeconfig = '', home = '', file = ''] = process.argv.slice(2);
const record = createWriteStream(file);
/** Of what Headway itself needs. */
const OWN_GROUPS = ['velero.io', 'coordination.k8s.io', 'events.k8s.io'];
const OWN_PLURALS = ['events', 'deployments'];

function isOwn({ type, namespace }: Target): boolean {
  return OWN_GROUPS.includes(type.group) || (namespace === 'velero' && OWN_PLURALS.includes(type.plural));
}

function postOf(target: NamedTarget, body: string): Recorded {
  const { plural, group } = target.type;
  return { method: 'POST', path: collectionPath(target), body, of: objectPath(target), plural, group };
}

function patchOf(target: NamedTarget, patch: Patch, options: PatchOptions | undefined): Recorded {
  const { plural, group } = target.type;
  const path = objectPath(target, options?.subresource);
  return { method: 'PATCH', path, body: stringifyJson(patch.body), of: objectPath(target), plural, group };
}

function recording(kube: KubeClient): KubeClient {
  const write = (target: Target, recorded: Recorded): void => {
    if (!isOwn(target)) record.write(`${JSON.stringify(recorded)}\n`);
  };
  return {
    ...kube,
    create: async (target, object, options) => {
      const { name } = object.metadata;
      write(target, postOf({ ...target, name }, stringifyJson(object)));
      return await kube.create(target, object, options);
    },
    createText: async (target, text, options) => {
      write(target, postOf(target, text.toString()));
      return await kube.createText(target, text, options);
    },
    get: async (target, options) => {
      const path = objectPath(target);
      write(target, { method: 'GET', path, of: path, plural: target.type.plural, group: target.type.group });
      return await kube.get(target, options);
    },
    patch: async (target, patch, options) => {
      write(target, patchOf(target, patch, options));
      return await kube.patch(target, patch, options);
    },
    patchUnread: async (target, patch, options) => {
      write(target, patchOf(target, patch, options));
      await kube.patchUnread(target, patch, options);
    },
  };
}

await serveWrapped({ kubeconfig, home }, recording);
await new Promise((resolve) => record.end(resolve));
