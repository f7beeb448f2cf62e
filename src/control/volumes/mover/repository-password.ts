import { SECRET } from '../../../api/index.ts';
import { AppError, isAppError, textAt } from '../../../base/index.ts';
import { REPOSITORY_SECRET } from '../../../core/volumes/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../runtime/objects/index.ts';

/** The password of all kopia repositories; where nobody chose one, Velero's default is written down, as Velero does. */
export async function repositoryPassword(
  kube: Kube,
  namespace: string,
  signal: AbortSignal,
): Promise<{ password: string; isDefault: boolean }> {
  const { name, key, defaultPassword } = REPOSITORY_SECRET;
  const target = { type: SECRET, namespace, name };
  const found = (await readObject(target, { kube }, signal)) ?? (await create(kube, namespace, signal));
  const value = textAt(found, 'data', key);
  if (value === undefined || value === '') {
    throw new AppError(
      'invalidConfig',
      `read the password of kopia repositories: Secret ${namespace}/${name} has no key ${key}`,
    );
  }
  const password = Buffer.from(value, 'base64').toString();
  return { password, isDefault: password === defaultPassword };
}

async function create(kube: Kube, namespace: string, signal: AbortSignal): Promise<KubeObject> {
  const { name, key, defaultPassword } = REPOSITORY_SECRET;
  const data = { [key]: Buffer.from(defaultPassword).toString('base64') };
  const object = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, namespace }, data };
  const options = { signal, deadlineMs: CALL_DEADLINE_MS };
  try {
    return await kube.create({ type: SECRET, namespace }, object, options);
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
    return await kube.get({ type: SECRET, namespace, name }, options);
  }
}
