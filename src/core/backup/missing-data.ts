/** People read the condition, and Kubernetes limits the size of objects; the log names all. */
const MAX_NAMED = 100;

/** The message of the condition VolumeDataMissing for claims such as `shop/orders`, with the reasons that are known. */
export function missingDataMessage(
  claims: readonly string[],
  reasonOf: (claim: string) => string | undefined = () => undefined,
): string {
  const count = claims.length === 1 ? '1 claim' : `${claims.length} claims`;
  const more = claims.length > MAX_NAMED ? ` and ${claims.length - MAX_NAMED} more, named in the log` : '';
  const groups = [...Map.groupBy(claims.slice(0, MAX_NAMED), reasonOf)].map(([reason, names]) => {
    const named = names.join(', ');
    return reason === undefined ? named : `${named} (${reason})`;
  });
  return `the data of ${count} is not in the backup: ${groups.join('; ')}${more}`;
}
