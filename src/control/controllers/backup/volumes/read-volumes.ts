import { PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM } from '../../../../api/index.ts';
import { isAppError, messageOf, objectsAt, textAt, type JsonObject } from '../../../../base/index.ts';
import type { Claim, Pod } from '../../../../core/volumes/index.ts';
import type { NamedTarget } from '../../../../edge/kube/index.ts';
import { slim, type SeenVolumes } from './seen-volumes.ts';
import type { VolumeContext } from './volume-context.ts';

const GET_DEADLINE_MS = 30_000;

/** Reads the claims and volumes that items of the backup mention before they are items themselves. */
export class VolumeReader {
  readonly #context: VolumeContext;
  readonly #seen: SeenVolumes;

  constructor(context: VolumeContext, seen: SeenVolumes) {
    this.#context = context;
    this.#seen = seen;
  }

  /** The bound claims of a pod. */
  async claimsOf({ namespace, name: pod, object }: Pod): Promise<Claim[]> {
    const names = objectsAt(object, 'spec', 'volumes').flatMap((volume) => {
      const named = textAt(volume, 'persistentVolumeClaim', 'claimName');
      if (named !== undefined) return [named];
      return volume['ephemeral'] === undefined ? [] : [`${pod}-${textAt(volume, 'name') ?? ''}`];
    });
    const claims = await Promise.all(
      [...new Set(names)].map(async (name): Promise<Claim[]> => {
        const known = this.#seen.claims.find((one) => one.namespace === namespace && one.name === name);
        if (known !== undefined) return [known];
        const found = await this.#read({ type: PERSISTENT_VOLUME_CLAIM, namespace, name });
        return found === undefined ? [] : [{ namespace, name, object: found }];
      }),
    );
    return claims.flat();
  }

  /** Even a volume that the filters leave out says what kind of volume the claim has. */
  async volumeOf(claim: JsonObject): Promise<JsonObject | undefined> {
    const name = textAt(claim, 'spec', 'volumeName') ?? '';
    const known = this.#seen.volumes.get(name);
    if (known !== undefined || name === '') return known;
    const found = await this.#read({ type: PERSISTENT_VOLUME, name });
    if (found !== undefined) this.#seen.volumes.set(name, found);
    return found;
  }

  async #read(target: NamedTarget): Promise<JsonObject | undefined> {
    const { operation, deps, signal, findings } = this.#context;
    try {
      const options = { signal, deadlineMs: GET_DEADLINE_MS };
      return slim(await operation.api(signal).call(() => deps.kube.get(target, options)));
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error, 'notFound')) {
        const about = { groupResource: target.type.plural, ...pick(target) };
        findings.warn(about, `it could not be read: ${messageOf(error)}`);
      }
      return undefined;
    }
  }
}

function pick({ name, namespace }: NamedTarget): { name: string; namespace?: string } {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}
