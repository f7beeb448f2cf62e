import { apiVersionOf, type ResourceType } from '../../../src/api/meta/resource-type.ts';
import type { JsonObject } from '../../../src/base/index.ts';

/** A custom resource as the server takes it. */
export function resource(
  type: ResourceType,
  metadata: { namespace: string; name: string; annotations?: Record<string, string> },
  spec: JsonObject,
): JsonObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { ...metadata }, spec };
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
