/** As the API writes times: RFC 3339, UTC, whole seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Leases and events have microseconds. */
export function microTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

export function timeOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Date.parse(text);
}
