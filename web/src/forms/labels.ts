const SEPARATOR = /[\s,]+/;

/** The first part that is no label; taken for nothing, it would choose more than was meant. */
export function wrongLabel(labels: string): string | undefined {
  return labels.split(SEPARATOR).find((pair) => pair !== '' && !/^[^=!\s]+=[^=\s]*$/.test(pair));
}

export function labelsProblem(labels: string): string | undefined {
  const wrong = wrongLabel(labels);
  return wrong === undefined ? undefined : `“${wrong}” is not a label. Write key=value.`;
}

/** `a=b,c=d` as people write it, or `a:b` with another sign, as `pairsText` writes it with commas alone. */
export function pairsIn(text: string, sign: string, separator: RegExp | ',' = SEPARATOR): Record<string, string> {
  const pairs = text.split(separator).map((pair) => pair.split(sign, 2));
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair.length === 2 && pair[0] !== ''));
}

export function pairsText(pairs: Readonly<Record<string, string>>, sign: string): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key}${sign}${value}`)
    .join(',');
}
