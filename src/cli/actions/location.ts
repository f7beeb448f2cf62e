import { AppError } from '../../base/index.ts';
import { present } from '../../core/progress/index.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import { locationSpec, type LocationFlags } from '../objects/location-object.ts';
import { newObject } from '../objects/new-object.ts';
import { LOCATION } from '../objects/types.ts';
import type { CliDeps } from '../ports.ts';
import { printDocument } from '../print/structured.ts';
import { createNamed } from './create.ts';
import { checkCredentials, createWithSecret, credentialFor } from './location-secret.ts';
import { withKube } from './open-cluster.ts';

type Flags = LocationFlags & ConnectionFlags & { cacert?: string; credentialsFile?: string; output?: 'json' | 'yaml' };

export async function createLocation(deps: CliDeps, name: string, flags: Flags): Promise<void> {
  const { namespace, labels, annotations, credentialsFile: file } = flags;
  if (file !== undefined && flags.credential !== undefined) {
    throw new AppError('usage', 'give the credentials once: --credentials-file or --credential, not both');
  }
  const caCert = flags.cacert === undefined ? undefined : await deps.readFile(flags.cacert);
  const text = file === undefined ? undefined : checkCredentials(await deps.readFile(file), file);
  const own = text === undefined ? {} : { credential: credentialFor(name) };
  const spec = { ...locationSpec(flags, caCert), ...own };
  const object = newObject({ type: LOCATION, namespace, name, ...present({ labels, annotations }), spec });
  if (flags.output !== undefined) {
    await printDocument(deps.output, object, flags.output);
    if (text !== undefined) deps.output.note(`The Secret ${credentialFor(name).name} is not printed: it holds keys`);
    return;
  }
  await withKube(deps, flags, async (scope) => {
    const create = async (): Promise<void> => {
      await createNamed(scope, LOCATION, object);
    };
    if (text === undefined) await create();
    else await createWithSecret(scope, { location: name, text, create });
  });
}
