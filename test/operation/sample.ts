import { CONFIG_MAP, NAMESPACE, POD } from '../../src/api/index.ts';
import type { World } from './world.ts';

/** An application: a few config maps, and a pod that wants to be frozen. */
export async function makeApplication(world: World): Promise<void> {
  const meta = (name: string) => ({ name, namespace: 'shop' });
  await world.kube.create({ type: NAMESPACE }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  for (const name of ['a', 'b', 'c']) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta(name), data: { name } };
    await world.kube.create({ type: CONFIG_MAP, namespace: 'shop' }, object);
  }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: meta('db'), spec: { containers: [{ name: 'main' }] } };
  await world.kube.create({ type: POD, namespace: 'shop' }, pod);
}

export const SHOP_ITEMS = ['ConfigMap a', 'ConfigMap b', 'ConfigMap c', 'Namespace shop', 'Pod db'];

/** Each freeze is followed by a thaw before anything else happens to the pod. */
export function isThawed(ran: readonly string[]): boolean {
  let isFrozen = false;
  for (const command of ran) {
    if (command === 'freeze db') {
      if (isFrozen) return false;
      isFrozen = true;
    }
    if (command === 'thaw db') isFrozen = false;
  }
  return !isFrozen;
}
