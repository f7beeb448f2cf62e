import { HEADWAY_POD_LABEL, OWNER_UID_LABEL, SECRET } from '../../../api/index.ts';
import { AppError, isAppError, messageOf, textAt, type JsonObject, type Log } from '../../../base/index.ts';
import { parseJob, type MoverJob } from '../../../core/volumes/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import type { KopiaSecrets } from '../../../edge/volumes/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { MOVER_PURPOSE } from './purpose.ts';

/** A mover's job and keys, as files in its pod. */
export interface JobSecret {
  namespace: string;
  name: string;
  ownerUid: string;
  labels: Readonly<Record<string, string>>;
  /** The BackupStorageLocation that it works on. */
  location: string;
  job: string;
  secrets: KopiaSecrets | undefined;
}

/** On the Secret of a mover: where what it stored is found when nobody else knows of it. */
const LOCATION_ANNOTATION = 'headway.io/location';

/** What a mover was told to do, and where; undefined if that is no job. Anybody in its namespace may have written it. */
export function readJobSecret(secret: KubeObject): { job: MoverJob; location: string } | undefined {
  const location = secret.metadata.annotations?.[LOCATION_ANNOTATION];
  const job = textAt(secret, 'data', 'job.json');
  if (location === undefined || job === undefined) return undefined;
  try {
    return { job: parseJob(Buffer.from(job, 'base64').toString('utf8')), location };
  } catch (error) {
    if (isAppError(error, 'invalidConfig', 'unsupported')) return undefined;
    throw error;
  }
}

/** Creates it, or brings one of an earlier process up to date. */
export async function putJobSecret(secret: JobSecret, kube: Kube, signal: AbortSignal): Promise<void> {
  const { namespace, name, ownerUid, job, secrets } = secret;
  const files = { 'job.json': job, ...secrets } as Record<string, string | undefined>;
  const data = Object.fromEntries(
    Object.entries(files).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, Buffer.from(value).toString('base64')]],
    ),
  );
  const labels = { ...secret.labels, [HEADWAY_POD_LABEL]: MOVER_PURPOSE, [OWNER_UID_LABEL]: ownerUid };
  const metadata = { name, namespace, labels, annotations: { [LOCATION_ANNOTATION]: secret.location } };
  const object = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data };
  const options = { signal, deadlineMs: CALL_DEADLINE_MS };
  try {
    await kube.create({ type: SECRET, namespace }, object, options);
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
    const found = await kube.get({ type: SECRET, namespace, name }, options);
    if (found.metadata.labels?.[OWNER_UID_LABEL] !== ownerUid) {
      throw new AppError('alreadyExists', `create Secret ${namespace}/${name}: there is one which is not ours`);
    }
    await kube.patch({ type: SECRET, namespace, name }, { kind: 'merge', body: { data } }, options);
  }
}

/** Whatever becomes of us, it goes with the pod. */
export async function bindToPod(
  { namespace, name }: Pick<JobSecret, 'namespace' | 'name'>,
  { metadata: { uid = '' } }: KubeObject,
  { kube, log }: { kube: Kube; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const options = { signal, deadlineMs: CALL_DEADLINE_MS };
  try {
    const owner: JsonObject = { apiVersion: 'v1', kind: 'Pod', name, uid };
    const body = { metadata: { ownerReferences: [owner] } };
    await kube.patch({ type: SECRET, namespace, name }, { kind: 'merge', body }, options);
  } catch (error) {
    // It is removed at the end of the run as well.
    log.debug('the secret of a mover is not bound to its pod', { err: messageOf(error) });
  }
}

export async function removeJobSecret(
  { namespace, name }: Pick<JobSecret, 'namespace' | 'name'>,
  { kube, log }: { kube: Kube; log: Log },
  signal: AbortSignal,
): Promise<void> {
  try {
    await kube.delete({ type: SECRET, namespace, name }, { signal, deadlineMs: CALL_DEADLINE_MS });
  } catch (error) {
    if (!isAppError(error, 'notFound')) log.warn('secret of a mover not removed', { err: messageOf(error) });
  }
}
