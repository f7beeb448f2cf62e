import { AppError, isAppError } from '../../base/index.ts';
import { apiVersionOf } from '../../api/meta/resource-type.ts';
import { SECRET } from '../../api/meta/builtin-types.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { LOCATION } from '../objects/types.ts';
import { getNamed, type Scope } from './open-cluster.ts';

const KEY = 'cloud';

/** The Secret that --credentials-file makes for a location, as `spec.credential` names it. */
export function credentialFor(location: string): { name: string; key: string } {
  return { name: `${location}-credentials`, key: KEY };
}

/** The text of an AWS credentials file. Whether its keys are right is for the store to say; that there are some can be seen. */
export function checkCredentials(text: string, file: string): string {
  if (/^\s*aws_access_key_id\s*=\s*\S/m.test(text) || /^\s*(role_arn|credential_process)\s*=/m.test(text)) return text;
  throw new AppError('usage', `${file} is not an AWS credentials file: it has no line aws_access_key_id=…`, {
    details: { hint: 'Expected:\n[default]\naws_access_key_id=…\naws_secret_access_key=…' },
  });
}

/**
 * Creates the Secret, then the location, then makes the location the Secret's owner: in this order the server finds the
 * credentials when it first looks at the location, and the cluster deletes them with it.
 */
export async function createWithSecret(
  scope: Scope,
  { location, text, create }: { location: string; text: string; create: () => Promise<void> },
): Promise<void> {
  const secret = await createSecret(scope, location, text);
  try {
    await create();
  } catch (error) {
    await removeAgain(scope, secret);
    throw error;
  }
  const { name, uid } = (await getNamed(scope, LOCATION, location)).metadata;
  const ownerReferences = [{ apiVersion: apiVersionOf(LOCATION), kind: LOCATION.kind, name, uid }];
  const target = { type: SECRET, namespace: scope.namespace, name: secret.metadata.name };
  await scope.kube.patch(
    target,
    { kind: 'merge', body: { metadata: { ownerReferences } } },
    { signal: scope.deps.signal },
  );
}

async function createSecret({ deps, kube, namespace }: Scope, location: string, text: string): Promise<KubeObject> {
  const { name } = credentialFor(location);
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData: { [KEY]: text },
  };
  try {
    const made = await kube.create({ type: SECRET, namespace }, object, { signal: deps.signal });
    deps.output.line(`secret/${name} created`);
    return made;
  } catch (error) {
    if (isAppError(error, 'notFound')) {
      throw new AppError('notFound', `cannot create Secret "${name}": this cluster has no namespace ${namespace}`, {
        cause: error,
        details: { hint: `Install Headway first: ${deps.programName} install` },
      });
    }
    if (!isAppError(error, 'alreadyExists')) throw error;
    throw new AppError('alreadyExists', `there is already a Secret "${name}" in namespace ${namespace}`, {
      cause: error,
      details: {
        hint:
          `Use it with: --credential ${name}=${KEY}\n` +
          `Or delete it first: kubectl -n ${namespace} delete secret ${name}`,
      },
    });
  }
}

/** Leaves no credentials behind for a location that was not created. */
async function removeAgain({ deps, kube, namespace }: Scope, { metadata }: KubeObject): Promise<void> {
  const { name, uid } = metadata;
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  // Not with the command's signal: also after Ctrl-C the credentials must not stay.
  await kube.delete({ type: SECRET, namespace, name }, { deadlineMs: 5000, ...preconditions });
  deps.output.line(`secret/${name} deleted again`);
}
