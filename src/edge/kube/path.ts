import { AppError } from '../../base/index.ts';
import type { NamedTarget, PodTarget, Target } from './port.ts';

const segment = encodeURIComponent;

/** `/api/v1/pods`, `/apis/apps/v1/namespaces/shop/deployments`. */
export function collectionPath(target: Target): string {
  const { group, version, plural, namespaced } = target.type;
  const root = group === '' ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;
  const namespace = namespaced && target.namespace !== undefined ? `/namespaces/${name(target.namespace)}` : '';
  return `${root}${namespace}/${segment(plural)}`;
}

export function objectPath(target: NamedTarget, subresource?: string): string {
  const path = `${collectionPath(target)}/${name(target.name)}`;
  return subresource === undefined ? path : `${path}/${segment(subresource)}`;
}

export function podPath(pod: PodTarget, subresource: 'exec' | 'log'): string {
  return `/api/v1/namespaces/${name(pod.namespace)}/pods/${name(pod.name)}/${subresource}`;
}

/** An empty name would turn "delete this object" into "delete the collection", and dots would climb up the path. */
function name(text: string): string {
  if (text === '' || text === '.' || text === '..' || text.includes('/')) {
    throw new AppError('invalid', `build a URL: expected an object's name, got ${JSON.stringify(text)}`);
  }
  return segment(text);
}
