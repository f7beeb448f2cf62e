import type { ResourceType } from '../../../api/index.ts';
import { AppError } from '../../../base/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';

/** Where the API server has objects like this one. Throws `invalid` for a kind it does not serve. */
export async function servedType(object: KubeObject, kube: KubeClient, signal: AbortSignal): Promise<ResourceType> {
  const { apiVersion = '', kind = '' } = object as { apiVersion?: string; kind?: string };
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const { resources, failures } = await kube.discover({ signal });
  const found = resources.find((each) => each.group === group && each.version === version && each.kind === kind);
  if (found !== undefined) return found;
  const broken = failures.find((failure) => failure.group === group);
  if (broken !== undefined) throw broken.error;
  throw new AppError('invalid', `no matches for kind "${kind}" in version "${apiVersion}"`);
}
