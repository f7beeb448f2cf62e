import { AppError } from '../../base/index.ts';
import type { CallOptions, Store } from './port.ts';

/** A small object in one piece; throws `tooLarge` if it has more than `maxBytes`, before holding more than that. */
export async function getWhole(
  store: Store,
  key: string,
  options: CallOptions & { maxBytes: number },
): Promise<Uint8Array> {
  const { maxBytes, ...call } = options;
  const object = await store.get(key, call);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of object.body) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      const wanted = `expected at most ${maxBytes} bytes, it has ${object.size}`;
      throw new AppError('tooLarge', `get ${key} from ${store.where}: ${wanted}`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
