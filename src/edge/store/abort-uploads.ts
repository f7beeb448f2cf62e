import type { CallOptions, Store, Upload } from './port.ts';

/** Aborts every unfinished put below the prefix, such as those of an attempt whose process died. */
export async function abortUploads(store: Store, prefix: string, options: CallOptions = {}): Promise<number> {
  const found: Upload[] = [];
  for await (const upload of store.listUploads(prefix, options)) found.push(upload);
  for (const upload of found) await store.abortUpload(upload, options);
  return found.length;
}
