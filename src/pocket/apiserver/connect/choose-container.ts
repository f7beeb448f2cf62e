import { badRequest } from '../errors/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../object/index.ts';

/** The container a client means: the one it names, or the only one there is. */
export function chooseContainer(pod: ApiObject, wanted: string): string {
  const names = (field: string): string[] => listAt(pod, 'spec', field).map((one) => scalarTextAt(one, 'name'));
  const [containers, init, guests] = [names('containers'), names('initContainers'), names('ephemeralContainers')];
  const { name } = pod.metadata;
  if (wanted !== '') {
    if ([...containers, ...init, ...guests].includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  const [only = ''] = containers;
  if (containers.length === 1) return only;
  const first = init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]${first}`,
  );
}
