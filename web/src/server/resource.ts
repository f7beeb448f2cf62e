import type { JsonObject } from '../../../src/base/index.ts';

const API_VERSION = 'velero.io/v1';

/** A custom resource as the server takes it. */
export function resource(
  kind: 'Backup' | 'Restore' | 'Schedule' | 'BackupStorageLocation',
  metadata: { namespace: string; name: string; annotations?: Record<string, string> },
  spec: JsonObject,
): JsonObject {
  return { apiVersion: API_VERSION, kind, metadata: { ...metadata }, spec };
}

const MAX_NAME = 253;

/** `nightly-20261116010203`: what the stock command line would call it; one that leaves no room for that is cut. */
export function timedName(base: string, now: Date): string {
  const digits = now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `${base.slice(0, MAX_NAME - digits.length - 1).replace(/[.-]+$/, '')}-${digits}`;
}

/** `a, b` or one a line, without doubles. */
export function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
