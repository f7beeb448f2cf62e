import { z } from 'zod';
import { objectAt, textAt, textsAt, type JsonObject } from '../../base/index.ts';
import { BackupStorageLocation, NAMESPACE, SECRET } from '../../api/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { audited } from '../audit.ts';
import type { Acting, Context } from '../context.ts';
import {
  actingFor,
  changed,
  ClusterQuery,
  createAs,
  deedOf,
  MANAGER,
  ObjectBody,
  objectOf,
  targetOf,
  watchedObject,
  type ChangeCall,
} from './changing.ts';
import { ChangedSchema, NamespacesSchema } from './schemas/index.ts';
import { route, type Route } from './route.ts';

const PATH = '/api/locations/:name';
/** More than anybody chooses from; whoever has more writes the names. */
const MAX_NAMESPACES = 5000;
const Key = z.string().regex(/^[\x21-\x7e]+$/, 'expected printable characters without spaces');
const LocationBody = ObjectBody.extend({
  credentials: z.strictObject({ accessKeyId: Key, secretAccessKey: Key }).optional(),
});

/** Creating, checking and deleting locations, and what a form needs to offer a choice; all with the caller's rights. */
export function locationRoutes(context: Context): Route[] {
  const find = async (call: ChangeCall): Promise<{ acting: Acting; object: KubeObject }> => {
    const acting = await actingFor(context, call);
    return { acting, object: watchedObject(acting, BackupStorageLocation, call.params['name'] ?? '') };
  };
  return [
    route({
      method: 'POST',
      path: '/api/locations',
      summary: 'Create a BackupStorageLocation, and a Secret for its credentials',
      query: ClusterQuery,
      body: LocationBody,
      status: 201,
      answer: ChangedSchema,
      handle: async (call) => {
        const acting = await actingFor(context, call);
        const { metadata, spec, credentials } = objectAt(call.body);
        const secret = credentials === undefined ? undefined : secretOf(call, acting.cluster.namespace);
        const credential = secret === undefined ? {} : { credential: { name: secret.metadata.name, key: KEY } };
        const body = { metadata: objectAt(metadata), spec: { ...objectAt(spec), ...credential } };
        const object = objectOf(BackupStorageLocation, body, acting.cluster.namespace);
        return { json: await create(context, { acting, call }, { object, secret }) };
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/check`,
      summary: 'Have a location checked now; its row tells the result',
      query: ClusterQuery,
      status: 202,
      answer: ChangedSchema,
      handle: async (call) => {
        const { acting, object } = await find(call);
        const deed = deedOf(acting, 'check', object, call.request.socket.remoteAddress);
        // The controller checks at once what was never checked.
        const body = { status: { lastValidationTime: null } };
        const patched = await audited(context.audit, deed, () =>
          acting.kube.patch(
            targetOf(BackupStorageLocation, object),
            { kind: 'merge', body },
            { fieldManager: MANAGER },
          ),
        );
        return { json: changed(acting, BackupStorageLocation, patched) };
      },
    }),
    route({
      method: 'DELETE',
      path: PATH,
      summary: 'Delete a BackupStorageLocation; what is stored in it stays',
      query: ClusterQuery,
      answer: ChangedSchema,
      handle: async (call) => {
        const { acting, object } = await find(call);
        const deed = deedOf(acting, 'delete', object, call.request.socket.remoteAddress);
        const preconditions = { uid: object.metadata.uid ?? '' };
        const target = targetOf(BackupStorageLocation, object);
        await audited(context.audit, deed, () => acting.kube.delete(target, { preconditions }));
        return { json: changed(acting, BackupStorageLocation, object) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/namespaces',
      summary: 'The namespaces of a cluster, to choose from',
      query: ClusterQuery,
      answer: NamespacesSchema,
      handle: async (call) => {
        const { kube } = await actingFor(context, call);
        const namespaces: string[] = [];
        for await (const page of kube.list({ type: NAMESPACE }, { signal: call.signal })) {
          for (const { metadata } of page.items) namespaces.push(metadata.name);
          if (namespaces.length >= MAX_NAMESPACES) break;
        }
        return { json: { namespaces: namespaces.slice(0, MAX_NAMESPACES).toSorted() } };
      },
    }),
  ];
}

const KEY = 'cloud';

/** As Velero's own: an AWS credentials file. */
function secretOf({ body }: ChangeCall, namespace: string): KubeObject {
  const { accessKeyId = '', secretAccessKey = '' } = textsAt(body, 'credentials');
  const file = `[default]\naws_access_key_id=${accessKeyId}\naws_secret_access_key=${secretAccessKey}\n`;
  const metadata = { name: `${textAt(body, 'metadata', 'name') ?? ''}-credentials`, namespace };
  const data = { [KEY]: Buffer.from(file).toString('base64') };
  return { apiVersion: 'v1', kind: SECRET.kind, metadata, type: 'Opaque', data };
}

/** The Secret first, so that the location works from its first check; then it goes when the location goes. */
async function create(
  context: Context,
  by: { acting: Acting; call: ChangeCall },
  { object, secret }: { object: KubeObject; secret: KubeObject | undefined },
): Promise<JsonObject> {
  const { acting } = by;
  const made = secret === undefined ? undefined : await createAs(context, { ...by, type: SECRET }, secret);
  let created: KubeObject;
  try {
    created = await createAs(context, { ...by, type: BackupStorageLocation }, object);
  } catch (error) {
    if (made !== undefined) await acting.kube.delete(targetOf(SECRET, made));
    throw error;
  }
  if (made !== undefined) {
    const { apiVersion, kind, metadata } = created;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }];
    await acting.kube.patch(targetOf(SECRET, made), { kind: 'merge', body: { metadata: { ownerReferences } } });
  }
  return changed(acting, BackupStorageLocation, created);
}
