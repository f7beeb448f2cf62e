/** What kubectl printed as a table: one record a row, by the names of the columns. */
export function tableOf(text: string): Record<string, string>[] {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const columns = [...header.matchAll(/\S+(?: \S+)*/g)].map((match) => ({ name: match[0], at: match.index }));
  return lines.map((line) =>
    Object.fromEntries(columns.map(({ name, at }, index) => [name, line.slice(at, columns[index + 1]?.at).trim()])),
  );
}
