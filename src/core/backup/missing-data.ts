/** People read the condition, and Kubernetes limits the size of objects; the results name all. */
const MAX_NAMED = 100;

/** The message of the condition VolumeDataMissing for claims such as `shop/orders`. */
export function missingDataMessage(claims: readonly string[]): string {
  const count = claims.length === 1 ? '1 claim' : `${claims.length} claims`;
  const more = claims.length > MAX_NAMED ? ` and ${claims.length - MAX_NAMED} more, named in the results` : '';
  return `the data of ${count} is not in the backup: ${claims.slice(0, MAX_NAMED).join(', ')}${more}`;
}
