import { present } from '../../core/progress/index.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import { locationSpec, type LocationFlags } from '../objects/location-object.ts';
import { newObject } from '../objects/new-object.ts';
import { LOCATION } from '../objects/types.ts';
import type { CliDeps } from '../ports.ts';
import { printDocument } from '../print/structured.ts';
import { createNamed } from './create.ts';
import { withKube } from './open-cluster.ts';

type Flags = LocationFlags & ConnectionFlags & { cacert?: string; output?: 'json' | 'yaml' };

export async function createLocation(deps: CliDeps, name: string, flags: Flags): Promise<void> {
  const caCert = flags.cacert === undefined ? undefined : await deps.readFile(flags.cacert);
  const { namespace, labels, annotations } = flags;
  const spec = locationSpec(flags, caCert);
  const object = newObject({ type: LOCATION, namespace, name, ...present({ labels, annotations }), spec });
  if (flags.output !== undefined) await printDocument(deps.output, object, flags.output);
  else await withKube(deps, flags, (scope) => createNamed(scope, LOCATION, object));
}
