import type { JsonObject } from '../../../base/index.ts';

/** A server may not make us wait longer than this. */
const CAP_MS = 30_000;

/** When the server wants to be asked again: the header (seconds or a date), else `details.retryAfterSeconds`. */
export function retryAfterMs(
  header: string | string[] | undefined,
  status: JsonObject | undefined,
  now: number,
): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  const wanted = text === undefined || text === '' ? fromStatus(status) : fromHeader(text, now);
  return wanted === undefined ? undefined : Math.min(CAP_MS, Math.max(0, wanted));
}

function fromHeader(text: string, now: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}

function fromStatus(status: JsonObject | undefined): number | undefined {
  const details = status?.['details'];
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return undefined;
  const seconds = details['retryAfterSeconds'];
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
}
