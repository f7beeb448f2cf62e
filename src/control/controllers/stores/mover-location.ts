import type { Store } from '../../../edge/store/index.ts';
import type { MoverLocation } from '../../volumes/index.ts';
import type { LocationStore } from './location-stores.ts';

/** An open location as movers use it, with a store of one's own choice, such as one that waits. */
export function moverLocation(opened: LocationStore, store: Store): MoverLocation {
  const { location } = opened;
  const { provider, objectStorage, config } = location.spec;
  const { bucket, prefix } = objectStorage;
  return { name: location.metadata.name ?? '', provider, bucket, prefix, config, access: () => opened.access(), store };
}
