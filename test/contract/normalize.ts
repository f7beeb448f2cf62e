const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Fields whose value no two servers share; whether they are there still counts. */
const OPAQUE = new Set(['uid', 'resourceVersion', 'continue', 'selfLink']);
/** Fields that are not compared at all (issue 5 names managedFields; the rest depends on the version of the server). */
const DROPPED = new Set(['managedFields']);

/** The same observation from two servers becomes the same value: uids, times, versions and managedFields are taken out. */
export function normalize(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return normalizeText(value, key);
  if (typeof value === 'bigint') return `${value.toString()}n`;
  if (Array.isArray(value)) return value.map((item) => normalize(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => !DROPPED.has(name) && field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, normalize(field, name)]),
  );
}

function normalizeText(text: string, key: string): string {
  if (OPAQUE.has(key) && text !== '' && text !== '0') return `<${key}>`;
  if (TIME.test(text)) return '<time>';
  return text.replaceAll(UID, '<uid>');
}
