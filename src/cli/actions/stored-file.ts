import { AppError, textAt } from '../../base/index.ts';
import type { DownloadTarget } from '../../api/index.ts';
import { newObject, stampedName } from '../objects/new-object.ts';
import { DOWNLOAD_REQUEST } from '../objects/types.ts';
import type { Scope } from './open-cluster.ts';

const LINK_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;
/** A list of a million items fits. A small file of a foreign store may unpack to any size. */
const MAX_JSON = 64 * 1024 * 1024;

export interface StoredFile {
  kind: DownloadTarget;
  /** Of the backup or restore whose file it is. */
  name: string;
}

/** The lines of a file that a backup or restore left in its location, by a link that the controller makes. */
export async function* storedLines(scope: Scope, file: StoredFile): AsyncGenerator<string> {
  yield* scope.deps.download(await linkTo(scope, file));
}

export async function storedJson(scope: Scope, file: StoredFile): Promise<unknown> {
  let text = '';
  for await (const line of storedLines(scope, file)) {
    text += `${line}\n`;
    if (text.length > MAX_JSON) {
      throw new AppError('tooLarge', `read ${file.kind} of "${file.name}": it has more than ${MAX_JSON} characters`);
    }
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('badAnswer', `read ${file.kind} of "${file.name}": expected JSON, got something else`, {
      cause,
    });
  }
}

async function linkTo({ deps, kube, namespace }: Scope, { kind, name }: StoredFile): Promise<string> {
  const { clock, signal } = deps;
  const started = clock.now();
  // Two at the same moment ask for different files, so the kind makes the name unique enough for one person.
  const requestName = stampedName(`${kind.toLowerCase()}-${name}`, started, 17);
  const request = newObject({
    type: DOWNLOAD_REQUEST,
    namespace,
    name: requestName,
    spec: { target: { kind, name } },
  });
  await kube.create({ type: DOWNLOAD_REQUEST, namespace }, request, { signal });
  while (clock.now() - started < LINK_WITHIN_MS) {
    const seen = await kube.get({ type: DOWNLOAD_REQUEST, namespace, name: requestName }, { signal });
    const url = textAt(seen, 'status', 'downloadURL');
    if (url !== undefined) return url;
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  throw new AppError(
    'timeout',
    `no server provided a link to the ${kind} of "${name}" within ${String(LINK_WITHIN_MS / 1000)} s`,
    {
      details: { hint: `Is a Headway server running for this cluster? Start one with: ${deps.programName} server` },
    },
  );
}
