import { gzipSync } from 'node:zlib';

/** What once cost a server its leadership: a results file of less than 100 KB that unpacks to 45 MB of JSON. */
export function resultsBomb(): Buffer<ArrayBuffer> {
  const messages = '"broken 0",'.repeat(4_200_000).slice(0, -1);
  return gzipSync(`{"errors":{"velero":[${messages}]},"warnings":{}}`, { level: 9 });
}
