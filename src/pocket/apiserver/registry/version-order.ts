/** The preferred version first: v2 before v1, stable before beta before alpha. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [rank(a), rank(b)];
  for (let i = 0; i < 3; i += 1) {
    if (x[i] !== y[i]) return (y[i] ?? 0) - (x[i] ?? 0);
  }
  return a < b ? -1 : 1;
}

function rank(version: string): number[] {
  const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (found === null) return [0, 0, 0];
  const stage = found[2] === undefined ? 3 : found[2] === 'beta' ? 2 : 1;
  return [stage, Number(found[1]), Number(found[3] ?? 0)];
}
